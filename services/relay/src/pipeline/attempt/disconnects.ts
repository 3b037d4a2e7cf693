import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { CallMeter } from "../../accounting/holds/meters/call-meter.ts";
import type { CutReasoning, HiddenReasoning, LearnedReasoning } from "../../accounting/tokens/hidden-reasoning.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";
import type { Choice } from "../../core/call/channel.ts";
import type { Exchange } from "../../core/call/exchange.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import type { CallProgress, OnCancel } from "../../upstream/upstream-call.ts";

/** The error of a call whose client disconnected. */
class ClientDisconnected extends RelayError {
  constructor() {
    super("stream_interrupted", "the client disconnected before the response was complete");
  }
}
export const clientDisconnected = (): RelayError => new ClientDisconnected();

export const isClientDisconnect = (error: unknown): error is RelayError => error instanceof ClientDisconnected;

/**
 * Whether a client that disconnects pays for the prompt: upstream has the whole request and has not refused it. It
 * reads the prompt, and charges for it, whether or not a client waits for the response.
 */
export const isPromptDue = ({ isSent, status }: CallProgress): boolean => isSent && status < 300;

/** Cancels the operation `drainMs` after the client disconnected, never if the channel is set to drain. */
export const cancelOnDisconnect =
  (choice: Choice, exchange: Exchange, drainMs = 0): OnCancel =>
  (cancel) => {
    if (choice.channel.drainOnDisconnect) return;
    const cancelNow = (): void => cancel(clientDisconnected());
    exchange.onDisconnect(() => (drainMs === 0 ? cancelNow() : void setTimeout(cancelNow, drainMs).unref()));
  };

/** How long a stream of a channel that is set to drain is read after the client disconnected. */
const CHANNEL_DRAIN_MS = 120_000;
/** The same for a response of a model with hidden reasoning. */
const REASONING_DRAIN_MS = 30_000;

/** What a call costs if its client disconnects. */
export type DisconnectTerms = {
  /** How long the response is read on to learn its usage. */
  readonly drainMs: number;
  /** From what the hidden reasoning is estimated if the usage does not arrive; undefined for models without. */
  readonly learned: LearnedReasoning | undefined;
};

/** From what the hidden reasoning of a response is estimated whose client disconnected this long after the request was sent. */
export const getCutReasoning = (
  { learned }: DisconnectTerms,
  elapsedMs: number,
  meter: Pick<CallMeter, "getCoveredTokens">,
): CutReasoning | undefined => learned && { learned, elapsedMs, completionTokensMax: meter.getCoveredTokens() };

export type DisconnectRules = ReturnType<typeof createDisconnectRules>;

/**
 * What happens to responses whose clients disconnect. A model that has reported hidden reasoning generates tokens that
 * only its final usage shows: its response is drained for half a minute, or what was learned is charged, by the option
 * HiddenReasoningOnDisconnect. It is also charged if the usage does not arrive within half a minute.
 */
export function createDisconnectRules(options: () => OptionsInForce, hidden: HiddenReasoning) {
  return {
    getTerms({ model }: Pick<RelayCall, "model">, { channel }: Choice): DisconnectTerms {
      const learned = hidden.get(model);
      const isDrained = learned !== undefined && options().text("HiddenReasoningOnDisconnect") === "drain";
      const drainMs = channel.drainOnDisconnect ? CHANNEL_DRAIN_MS : isDrained ? REASONING_DRAIN_MS : 0;
      return { drainMs, learned };
    },
    /** Learns from the reported usage of a complete response. */
    learn: hidden.learn,
  };
}
