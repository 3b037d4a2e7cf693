import type { Tokenizer } from "../../../accounting/tokens/tokenizer.ts";
import { DIALECTS } from "../../../dialects/chat-dialects.ts";
import { openAiResponses } from "../../../dialects/openai-responses/openai-responses.ts";
import { watchCall } from "../../../core/telemetry/call-metrics.ts";
import type { Provider } from "../../../providers/contract/provider.ts";
import { findProvider } from "../../../providers/registry/providers.ts";
import type { ResponseSink } from "../../../upstream/upstream-call.ts";
import { RunningAttempts } from "../running-attempts.ts";
import { attemptStream } from "./stream-attempt.ts";
import type { StreamResult } from "./stream-input.ts";

type Attempt = Parameters<typeof attemptStream>[1];
export type DialectName = keyof typeof dialects;

const dialects = { ...DIALECTS, "openai-responses": openAiResponses };

/** Counts a token for each character. */
const tokenizer: Tokenizer = {
  count: async (texts) => texts.map(({ length }) => length),
  sample: ({ length }, take) => take(length),
};

/** A client whose upstream responds as the function does. */
const createClient = (respond: (sink: ResponseSink) => void) => ({
  send: (_: unknown, sink: ResponseSink) => {
    queueMicrotask(() => respond(sink));
    return { abort: () => undefined, pause: () => undefined, resume: () => undefined };
  },
});

/** A client's response that only collects its text. */
const createResponse = (onText: (written: string) => void) => ({
  headersSent: false,
  writeHead: () => undefined,
  write: (bytes: Buffer) => {
    onText(bytes.toString());
    return true;
  },
  addTrailers: () => undefined,
  end: () => undefined,
});

/** The provider that a channel of this type serves the dialect with. */
function findUpstream(dialect: DialectName, channelType: number): Provider | undefined {
  const chat = findProvider(channelType);
  return (dialect === "openai-responses" ? chat?.endpoints?.[dialect] : undefined) ?? chat;
}

/** Runs a stream of the given bytes; returns what the caller received and the settlement. */
export async function streamed(
  dialect: DialectName,
  channelType: number,
  send: (sink: ResponseSink) => void,
  {
    includeUsage = false,
    type = "text/event-stream",
    status = 200,
    idleMs = 60_000,
    includesCharge = false,
    isLast = false,
    store = undefined as ((sent: string) => void) | undefined,
    upstream = undefined as Provider | undefined,
  } = {},
): Promise<{ text: string; result: StreamResult | undefined }> {
  let text = "";
  let result: StreamResult | undefined;
  let sendFailure: (() => Promise<void>) | undefined;
  const response = createResponse((written) => (text += written));
  const provider = upstream ?? findUpstream(dialect, channelType);
  const call = {
    dialect: dialects[dialect],
    requestId: "req1",
    model: "m",
    body: {},
    includeUsage,
    startedAtMs: 0,
    watch: watchCall(),
    ...(store ? { untilStored: async () => store(text) } : {}),
  };
  const attempt = {
    call,
    exchange: { requestId: "req1", response, isDisconnected: () => false, onDisconnect: () => () => undefined },
    prepared: { provider, passThrough: provider?.wireFormat === dialect, request: { idleMs } },
    meter: { secure: () => undefined, produced: () => true, isLimitReached: () => false, getCharge: () => "0.000012" },
    includesCharge,
    getTrailers: () => ({}),
    settle: (settled: StreamResult) => {
      result = settled;
    },
    toClientError: (error: Error) => error,
    keepFailure: (send: () => Promise<void>) => (sendFailure = send),
    statusCodeMapping: {},
    terms: { drainMs: 0, learned: undefined },
  } as unknown as Attempt;
  const client = createClient((sink) => {
    sink.head(status, { "content-type": type });
    send(sink);
  });
  const running = new RunningAttempts();
  const deps = { client, tokenizer, running, learn: () => undefined, now: () => 0 } as unknown as Parameters<
    typeof attemptStream
  >[0];
  await attemptStream(deps, attempt).catch(async (error: unknown) => {
    if (!isLast || !sendFailure) throw error;
    await sendFailure();
  });
  return { text, result };
}
