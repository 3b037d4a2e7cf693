import type { RelayError } from "../../../core/errors/relay-error.ts";
import type { CallMeter } from "../../../accounting/holds/meters/call-meter.ts";
import type { Tokenizer } from "../../../accounting/tokens/tokenizer.ts";
import type { UpstreamClient } from "../../../upstream/upstream-client.ts";
import type { RelayCall } from "../../../core/call/relay-call.ts";
import type { Exchange } from "../../../core/call/exchange.ts";
import type { Prepared } from "../../prepare/prepared-request.ts";
import type { ResolvedUsage } from "../../settle/usage-resolution.ts";
import type { DisconnectRules, DisconnectTerms } from "../disconnects.ts";
import type { RunningAttempts } from "../running-attempts.ts";

/**
 * How a stream that reached the caller ended; `error` is the reason it was cut, `isRecorded` whether the attempt was
 * recorded as failed before. `responseId` is empty if upstream gave none.
 */
export type StreamResult = ResolvedUsage & {
  readonly responseId: string;
  readonly error: RelayError | undefined;
  readonly isRecorded: boolean;
};

/** Receives what sends the failure of an attempt to the client as upstream reported it, if no other channel is tried. */
export type KeepFailure = (send: () => Promise<void>) => void;

/** What every attempt needs. */
export type StreamDeps = {
  readonly client: UpstreamClient;
  readonly tokenizer: Tokenizer;
  readonly learn: DisconnectRules["learn"];
  readonly running: RunningAttempts;
  readonly now: () => number;
};

/** One attempt: the call, how it is sent, and what settles it. */
export type StreamInput = {
  readonly call: RelayCall;
  readonly exchange: Exchange;
  readonly prepared: Prepared;
  readonly meter: CallMeter;
  /** Charges the call or releases its hold. The end of the response waits for this. */
  readonly settle: (result: StreamResult) => Promise<void> | void;
  /** The caller or the site requests the charge in the usage. */
  readonly includesCharge: boolean;
  /** The trailers that report a charge. */
  readonly getTrailers: (charge: string | undefined) => Readonly<Record<string, string>>;
  /** Converts a failure to what the caller may see. */
  readonly toClientError: (error: RelayError) => RelayError;
  readonly keepFailure: KeepFailure;
  readonly statusCodeMapping: Readonly<Record<string, string>>;
  readonly terms: DisconnectTerms;
};
