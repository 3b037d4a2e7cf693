import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { statusClass } from "@turnpike/shared/telemetry/http-metrics";
import type { Admit } from "../../admission/admission.ts";
import type { Admitted } from "../../core/call/caller.ts";
import type { Dialect } from "../../core/call/dialect.ts";
import type { Exchange, HandleCall } from "../../core/call/exchange.ts";
import { type Form, parseForm } from "../../core/call/multipart.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { type CallWatch, callEnded, watchCall } from "../../core/telemetry/call-metrics.ts";
import { openAiChat } from "../../dialects/openai-chat/openai-chat.ts";
import type { FailureLog, RefusedCall } from "../../pipeline/settle/failure-log.ts";
import { readRelayCall } from "../../pipeline/prepare/read/call-reader.ts";
import { writeAsArray } from "../server/json-array.ts";
import { readBody, readBytes, toNestingError } from "../server/request-body.ts";
import { hasEventsQuery } from "../server/request-url.ts";
import type { Playground } from "./playground.ts";
import type { CallRoute } from "./route-table.ts";

type Deps = {
  readonly admit: Admit;
  readonly clientAddress: (request: IncomingMessage) => string;
  readonly handleCall: HandleCall;
  /** Throws for callers that the site refuses by their Origin. */
  readonly checkOrigin: (headers: IncomingHttpHeaders) => void;
  readonly failures: FailureLog;
  readonly bodyBytesMax: number;
  readonly now: () => number;
};

/** Bodies from this size on take milliseconds each to parse and send; the event loop runs in between. */
const LARGE_CHARACTERS = 256 * 1024;

const isForm = ({ endpoint }: Dialect, { headers }: IncomingMessage): boolean =>
  endpoint?.takesForm === true && /^multipart\/form-data/i.test(headers["content-type"] ?? "");

const readForm = async (request: IncomingMessage, bytesMax: number): Promise<Form> =>
  parseForm(await readBytes(request, bytesMax), request.headers["content-type"] ?? "");

const isArrayRequested = ({ streamsArray }: Dialect, { url = "" }: IncomingMessage): boolean =>
  streamsArray === true && !hasEventsQuery(url);

const toStatusClass = (error: unknown): ReturnType<typeof statusClass> =>
  statusClass(error instanceof RelayError ? error.status : 500);

function refuseMethod({ method = "" }: IncomingMessage, { response }: Exchange): never {
  response.setHeader("allow", "POST");
  throw new RelayError("method_not_allowed", `${method} is not allowed here`);
}

/** What is known so far of a call that is being served: its log row needs it if the call is refused. */
type ServedCall = RefusedCall & {
  admitted: Admitted | undefined;
  call: RelayCall | undefined;
  readonly watch: CallWatch;
};

type Start = Pick<ServedCall, "requestId" | "address" | "path"> & { readonly dialect: Dialect };

/** Serves one call: counts its outcome, and logs its refusal with what `serve` had found out by then. */
async function serveCounted(
  deps: Deps,
  { dialect, ...start }: Start,
  serve: (served: ServedCall) => Promise<void>,
): Promise<void> {
  const watch = watchCall();
  const served: ServedCall = { ...start, startedAtMs: deps.now(), watch, admitted: undefined, call: undefined };
  try {
    await serve(served);
    callEnded(dialect.name, served.call, watch, "2xx");
  } catch (thrown) {
    const error = toNestingError(thrown);
    callEnded(dialect.name, served.call, watch, toStatusClass(error));
    deps.failures.refused(served, error);
    throw error;
  }
}

/** Serves the calls of API key holders in any dialect: authenticate, read the body, hand over to the pipeline. */
export function createCallRoute(deps: Deps) {
  return async function serveCall(
    request: IncomingMessage,
    exchange: Exchange,
    path: string,
    { dialect, path: pathValues }: CallRoute,
  ): Promise<void> {
    if (request.method !== "POST") refuseMethod(request, exchange);
    if (pathValues?.stream && isArrayRequested(dialect, request)) writeAsArray(exchange.response);
    const { headers } = request;
    const { requestId } = exchange;
    const address = deps.clientAddress(request);
    await serveCounted(deps, { requestId, address, path: pathValues, dialect }, async (served) => {
      const { startedAtMs, watch } = served;
      if (headers.origin !== undefined && !dialect.endpoint) deps.checkOrigin(headers);
      // Before the body is read, so that an invalid key costs as little as possible.
      const admission = deps.admit(headers, path, address);
      const admitted = admission instanceof Promise ? await admission : admission;
      served.admitted = admitted;
      const form = isForm(dialect, request) ? await readForm(request, deps.bodyBytesMax) : undefined;
      const bodyText = form ? "" : await readBody(request, deps.bodyBytesMax);
      const isLarge = bodyText.length >= LARGE_CHARACTERS;
      if (isLarge) await yieldToEventLoop();
      served.call = readRelayCall({
        requestId,
        startedAtMs,
        address,
        admitted,
        dialect,
        headers,
        bodyText,
        ...(form === undefined ? {} : { form }),
        ...(pathValues === undefined ? {} : { path: pathValues }),
        watch,
      });
      if (isLarge) await yieldToEventLoop();
      await deps.handleCall(served.call, exchange);
    });
  };
}

/** Serves the calls of the console's playground, which the gateway authenticates by session. */
export function createPlaygroundRoute(deps: Deps & { readonly playground: Playground }) {
  const dialect = openAiChat;
  return async function servePlayground(request: IncomingMessage, exchange: Exchange): Promise<void> {
    if (request.method !== "POST") refuseMethod(request, exchange);
    const { headers } = request;
    const { requestId } = exchange;
    const address = deps.clientAddress(request);
    await serveCounted(deps, { requestId, address, dialect }, async (served) => {
      const { startedAtMs, watch } = served;
      deps.checkOrigin(headers);
      const principal = await deps.playground.admit(headers);
      const read = deps.playground.read(principal, await readBody(request, deps.bodyBytesMax));
      served.admitted = read.admitted;
      served.call = readRelayCall({ requestId, startedAtMs, address, dialect, headers, watch, ...read });
      await deps.handleCall(served.call, exchange);
    });
  };
}
