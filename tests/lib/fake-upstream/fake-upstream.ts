import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { anthropicFormat } from "./anthropic-format.ts";
import { bedrockFormat } from "./bedrock-format.ts";
import { cohereFormatOf } from "./cohere-format.ts";
import { endpointFormatOf, readForm } from "./endpoint-formats.ts";
import { deliverFrames, deliverWhole } from "./deliver.ts";
import { geminiFormat } from "./gemini-format.ts";
import { modelList } from "./model-list.ts";
import { openaiFormat } from "./openai-format.ts";
import { createRecorder, type RecordedCall } from "./recorder.ts";
import { planAnswer, type Scenario, scenarioInText } from "./scenario.ts";
import { createScriptBook, type Match } from "./script-book.ts";
import { vendorAnswer } from "./vendor-media.ts";
import { isObject, isRefusal, type ReceivedRequest, type Refusal, type WireFormat } from "./wire-format.ts";

export type FakeUpstream = Awaited<ReturnType<typeof startFakeUpstream>>;

/** The scripts of the upstreams that run now. */
export const runningBooks = new Set<ReturnType<typeof createScriptBook>>();

/**
 * The wire format of a path; every path that matches no other format is OpenAI's, as for channels with a full URL of
 * their own.
 */
function formatOf(path: string): WireFormat {
  if (path.includes(":generateContent") || path.includes(":streamGenerateContent")) return geminiFormat;
  if (/^\/model\/[^/]+\/invoke/.test(path)) return bedrockFormat;
  const cohere = cohereFormatOf(path);
  if (cohere) return cohere;
  return path.endsWith("/messages") ? anthropicFormat : (endpointFormatOf(path) ?? openaiFormat);
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
  else return scenario.neverAnswer === true;
  return true;
}

/**
 * Starts an HTTP server on 127.0.0.1 that speaks OpenAI chat completions and the non-chat endpoints, Anthropic
 * messages, Gemini generateContent, Bedrock's signed calls, Cohere's v2 API, and the media of Workers AI and DashScope.
 * It validates requests as strictly as the providers, sends scripted responses, and records every call.
 */
export async function startFakeUpstream(
  options: { host?: string; port?: number; models?: readonly string[]; keys?: readonly string[] } = {},
) {
  const book = createScriptBook();
  const recorder = createRecorder();
  const models = options.models ?? ["gpt-4o-mini", "claude-3-5-haiku-20241022", "gemini-2.0-flash"];
  let answers = 0;

  async function answer(request: ReceivedRequest, response: ServerResponse, call: RecordedCall): Promise<void> {
    const format = formatOf(request.path);
    const asked = format.read(request);
    const isKnownKey = call.key !== undefined && (options.keys === undefined || options.keys.includes(call.key));
    if (!isKnownKey) return refuse(response, format, { status: 401, message: "Incorrect API key provided." });
    if (isRefusal(asked)) return refuse(response, format, asked);
    Object.assign(call, { model: asked.model, stream: asked.stream });
    const scenario =
      scenarioInText(asked.promptText) ?? book.take({ model: asked.model, key: call.key, path: request.path });
    call.tag = scenario.tag;
    if (scenario.delayMs !== undefined) await sleep(scenario.delayMs);
    if (misbehave(response, format, scenario)) return;
    const plan = planAnswer({ id: `fake${answers++}`, ...asked }, scenario);
    response.writeHead(200, {
      "content-type": asked.stream
        ? (format.streamType ?? "text/event-stream")
        : (format.wholeType ?? "application/json"),
      "x-request-id": `req_${plan.id}`,
    });
    const result = asked.stream
      ? await deliverFrames(response, format.frames(plan, asked), {
          ...format,
          scenario,
          errorFrame: format.errorFrame(),
        })
      : await deliverWhole(response, JSON.stringify(format.whole(plan)), scenario);
    call.framesSent = result.framesSent;
    call.outcome = result.ended;
    if (result.ended === "answered") call.usage = asked.stream && !asked.wantsUsage ? undefined : plan.usage;
  }

  async function serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await receive(message);
    const path = new URL(message.url ?? "/", "http://upstream").pathname;
    const vendor = "status" in request ? undefined : vendorAnswer(message.method, path, request);
    if (vendor) return void response.writeHead(vendor.status, { "content-type": vendor.type }).end(vendor.body);
    if (message.method === "GET") return modelList(response, path, models);
    const format = formatOf(path);
    if ("status" in request) return refuse(response, format, request);
    const call = recorder.add({
      atMs: Date.now(),
      method: message.method ?? "",
      path,
      format: format.name,
      headers: request.headers,
      key: format.keyOf(request),
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
      call.outcome = response.writableFinished ? "refused" : "caller-left";
    });
    await answer(request, response, call);
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
  runningBooks.add(book);
  return {
    port,
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
      runningBooks.delete(book);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
