import type { RelayError } from "../../../core/errors/relay-error.ts";
import { resolveUsage } from "../../settle/usage-resolution.ts";
import type { ClientStream } from "./client-stream.ts";
import { getCutReasoning, isClientDisconnect } from "../disconnects.ts";
import type { StreamClock } from "./stream-clock.ts";
import type { StreamEvents } from "./stream-events.ts";
import type { StreamDeps, StreamInput } from "./stream-input.ts";
import type { StreamReport } from "./stream-report.ts";

/** What an attempt collected, and where its response goes. */
export type StreamParts = {
  readonly report: StreamReport;
  readonly events: StreamEvents;
  readonly client: ClientStream;
  readonly clock: StreamClock;
};

/** How a stream ended. */
export type StreamEnding = {
  readonly wasCut: boolean;
  readonly error: RelayError | undefined;
  /** The client disconnected when upstream had the prompt. */
  readonly isPromptDue: boolean;
  readonly isRecorded: boolean;
};

/** Settles a streamed attempt by what it used, then sends the end of the response: its finish or its failure. */
export async function concludeStream(
  { learn, tokenizer, now }: Pick<StreamDeps, "learn" | "tokenizer" | "now">,
  { call, exchange, meter, settle, terms, toClientError, getTrailers }: StreamInput,
  { report, events, client, clock }: StreamParts,
  { wasCut, error, isPromptDue, isRecorded }: StreamEnding,
): Promise<void> {
  const { usage: reported, generated: produced } = report;
  const resolved = await resolveUsage({
    call,
    reported,
    produced,
    wasCut,
    isPromptDue,
    isReportFinal: report.isFinal,
    cut: isClientDisconnect(error) ? getCutReasoning(terms, clock.elapsedMs(), meter) : undefined,
    tokenizer,
  });
  if (reported && !wasCut)
    learn(call.model, reported, { visibleTokens: produced.estimateTokens(), tookMs: clock.elapsedMs() });
  if (!error) call.firstByteAtMs ??= now();
  await settle({ ...resolved, responseId: report.id, error, isRecorded });
  const charge = meter.getCharge();
  // A byte stream has no error format: the aborted connection signals the failure.
  if (error && call.dialect.endpoint?.returnsBytes) exchange.response.destroy();
  else if (!exchange.isDisconnected()) {
    if (error) events.fail(toClientError(error), exchange.requestId, charge);
    else events.end(resolved.usage, charge);
    if (call.untilStored) await call.untilStored();
    // Written together with what follows.
    exchange.response.socket?.cork();
    client.flush();
    if (charge !== undefined) exchange.response.addTrailers(getTrailers(charge));
    exchange.response.end();
  }
}
