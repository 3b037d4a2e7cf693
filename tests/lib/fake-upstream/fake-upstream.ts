import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { anthropicFormat } from "./anthropic-format.ts";
import { bedrockFormat } from "./bedrock-format.ts";
import { getCohereFormat } from "./cohere-format.ts";
import { getEndpointFormat } from "./endpoint-formats.ts";
import { readForm } from "./multipart-form.ts";
import { deliverFrames, deliverWhole } from "./deliver.ts";
import { geminiFormat } from "./gemini-format.ts";
import { modelList } from "./model-list.ts";
import { openaiFormat } from "./openai-format.ts";
import { createRecorder, type RecordedCall } from "./recorder.ts";
import { planResponse, type Scenario, scenarioInText } from "./scenario.ts";
import { createScriptBook, type Match } from "./script-book.ts";
import { vendorResponse } from "./vendor-media.ts";
import {
  isObject,
  isRefusal,
  type ReceivedRequest,
  type Refusal,
  type Requested,
  type WireFormat,
} from "./wire-format.ts";

export type FakeUpstream = Awaited<ReturnType<typeof startFakeUpstream>>;

export type FakeUpstreamOptions = {
  readonly host?: string;
  readonly port?: number;
  readonly models?: readonly string[];
  readonly keys?: readonly string[];
  /** What ids of responses start with, where several upstreams must not have equal ids. */
  readonly idPrefix?: string;
  /** Takes precedence over scripts: for programs whose next response depends on the conversation that they send. */
  readonly respond?: (requested: Requested, request: ReceivedRequest) => Scenario | undefined;
};

/** The scripts of the upstreams that run now. */
export const runningScripts = new Set<ReturnType<typeof createScriptBook>>();

/**
 * The wire format of a path; every path that matches no other format is OpenAI's, as for channels with a full URL of
 * their own.
 */
function getFormat(path: string): WireFormat {
  if (path.includes(":generateContent") || path.includes(":streamGenerateContent")) return geminiFormat;
  if (/^\/model\/[^/]+\/invoke/.test(path)) return bedrockFormat;
  const cohere = getCohereFormat(path);
  if (cohere) return cohere;
  return path.endsWith("/messages") ? anthropicFormat : (getEndpointFormat(path) ?? openaiFormat);
}

async function receive(request: IncomingMessage): Promise<ReceivedRequest | Refusal> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const url = new URL(request.url ?? "/", "http://upstream");
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const bytes = Buffer.concat(parts);
  const facts = { path: url.pathname, query: url.searchParams, headers, target: request.url ?? "/", bytes };
  try {
    const form = readForm(bytes, headers["content-type"] ?? "");
    if (headers["content-type"] === "application/octet-stream") return { ...facts, body: {} };
    const body: unknown = form ?? JSON.parse(bytes.toString("utf8") || "{}");
    return isObject(body) ? { ...facts, body } : { status: 400, message: "the body is not an object" };
  } catch {
    return { status: 400, message: "We could not parse the JSON body of your request." };
  }
}

function refuse(
  response: ServerResponse,
  format: WireFormat,
  refusal: Refusal & { headers?: Record<string, string> | undefined },
): void {
  const headers = { "content-type": "application/json", ...format.errorHeaders?.(refusal), ...refusal.headers };
  response.writeHead(refusal.status, headers);
  response.end(JSON.stringify(format.errorBody(refusal)));
}

/** Sends the scenario's refusal or failure instead of a response; true if there was one. */
function misbehave(response: ServerResponse, format: WireFormat, scenario: Scenario): boolean {
  if (scenario.dropConnection === true) response.destroy();
  else if (scenario.refuse)
    refuse(response, format, { message: "refused by the scenario", ...scenario.refuse } as Refusal);
  else if (scenario.raw)
    response.writeHead(scenario.raw.status ?? 200, scenario.raw.headers).end(scenario.raw.body ?? "");
  else return scenario.neverRespond === true;
  return true;
}

const sendReport = (response: ServerResponse, body: unknown): void =>
  void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));

/** OpenAI's usage by endpoint: a page without results where a test sets none. */
const USAGE_PATH = "/v1/organization/usage/";
const NO_USAGE_PAGE = { data: [], has_more: false, next_page: null };

/**
 * Starts an HTTP server on 127.0.0.1 that serves OpenAI chat completions and the non-chat endpoints, Anthropic
 * messages, Gemini generateContent, Bedrock's signed calls, Cohere's v2 API, and the media of Workers AI and DashScope.
 * It validates requests as strictly as the providers, sends scripted responses, and records every call.
 */
export async function startFakeUpstream(options: FakeUpstreamOptions = {}) {
  const book = createScriptBook();
  const recorder = createRecorder();
  const models = options.models ?? ["gpt-4o-mini", "claude-3-5-haiku-20241022", "gemini-2.0-flash"];
  const reports = new Map<string, unknown>();
  const { idPrefix = "fake" } = options;
  let responses = 0;

  const chooseScenario = (requested: Requested, request: ReceivedRequest, { key }: RecordedCall): Scenario =>
    options.respond?.(requested, request) ??
    scenarioInText(requested.promptText) ??
    book.take({ model: requested.model, key, path: request.path });

  async function reply(request: ReceivedRequest, response: ServerResponse, call: RecordedCall): Promise<void> {
    const format = getFormat(request.path);
    const requested = format.read(request);
    const isKnownKey = call.key !== undefined && (options.keys === undefined || options.keys.includes(call.key));
    if (!isKnownKey) return refuse(response, format, { status: 401, message: "Incorrect API key provided." });
    if (isRefusal(requested)) return refuse(response, format, requested);
    Object.assign(call, { model: requested.model, stream: requested.stream });
    const scenario = chooseScenario(requested, request, call);
    call.tag = scenario.tag;
    if (scenario.delayMs !== undefined) await sleep(scenario.delayMs);
    if (misbehave(response, format, scenario)) return;
    const plan = planResponse({ id: `${idPrefix}${responses++}`, ...requested }, scenario);
    response.writeHead(200, {
      "content-type": requested.stream
        ? (format.streamType ?? "text/event-stream")
        : (format.responseType ?? "application/json"),
      "x-request-id": `req_${plan.id}`,
    });
    const result = requested.stream
      ? await deliverFrames(response, format.frames(plan, requested), {
          ...format,
          scenario,
          errorFrame: format.errorFrame(),
        })
      : await deliverWhole(response, JSON.stringify(format.whole(plan)), scenario);
    call.framesSent = result.framesSent;
    call.outcome = result.ended;
    if (result.ended === "served") call.usage = requested.stream && !requested.includesUsage ? undefined : plan.usage;
  }

  async function serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await receive(message);
    const path = new URL(message.url ?? "/", "http://upstream").pathname;
    const vendor = "status" in request ? undefined : vendorResponse(message.method, path, request);
    if (vendor) return void response.writeHead(vendor.status, { "content-type": vendor.type }).end(vendor.body);
    if (message.method === "GET" && reports.has(path)) return sendReport(response, reports.get(path));
    if (message.method === "GET" && path.startsWith(USAGE_PATH)) return sendReport(response, NO_USAGE_PAGE);
    if (message.method === "GET") return modelList(response, path, models);
    const format = getFormat(path);
    if ("status" in request) return refuse(response, format, request);
    const call = recorder.add({
      atMs: Date.now(),
      method: message.method ?? "",
      path,
      format: format.name,
      headers: request.headers,
      key: format.readKey(request),
      body: request.body,
      model: "",
      stream: false,
      tag: undefined,
      status: undefined,
      outcome: "open",
      usage: undefined,
      framesSent: 0,
      endedAtMs: undefined,
    });
    response.once("close", () => {
      call.endedAtMs = Date.now();
      call.status = response.headersSent ? response.statusCode : undefined;
      if (call.outcome !== "open") return;
      call.outcome = response.writableFinished ? "refused" : "client-disconnected";
    });
    await reply(request, response, call);
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 30_000;
  const { host = "127.0.0.1" } = options;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  runningScripts.add(book);
  return {
    port,
    /** Bodies of GETs by path: an organization's usage and costs. */
    reports,
    url: `http://${host}:${port}`,
    calls: recorder.calls,
    served: recorder.served,
    /** From now on matching calls are served by this scenario; the newest matching script takes precedence. */
    always: (match: Match, scenario: Scenario): void => book.always(match, scenario),
    /** The next matching calls are served by these scenarios, one each. */
    next: (match: Match, ...scenarios: Scenario[]): void => book.next(match, scenarios),
    /** Deletes scripts and recorded calls. */
    reset(): void {
      book.forget();
      recorder.forget();
    },
    async stop(): Promise<void> {
      runningScripts.delete(book);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
