import { z } from "zod";
import { defineEvent } from "./define-event.ts";

/**
 * What one call used and cost: the fact that billing books. `requestId` makes it safe to receive twice. `other` is the JSON text
 * of the log row's `other` field.
 */
export const UsageRecord = z.object({
  requestId: z.string(),
  /** 2 consumption, 6 error (an error costs nothing). */
  type: z.union([z.literal(2), z.literal(6)]),
  createdAtSeconds: z.number().int(),
  userId: z.number().int(),
  username: z.string(),
  tokenId: z.number().int(),
  tokenName: z.string(),
  modelName: z.string(),
  /** 0 when no channel was reached. */
  channelId: z.number().int(),
  channelName: z.string(),
  group: z.string(),
  isStream: z.boolean(),
  useTimeSeconds: z.number().int(),
  promptTokens: z.number().int(),
  completionTokens: z.number().int(),
  quota: z.number().int().min(0),
  content: z.string(),
  clientIp: z.string(),
  other: z.string(),
  /** True when the row was made from a hold whose relay died: the quota is what was settled or, failing that, estimated. */
  recovered: z.boolean().optional(),
  /** The call's span as W3C Trace Context names it, of calls that are traced; of no account for money, so nothing wrong in it matters. */
  trace: z.string().max(64).optional().catch(undefined),
});
export type UsageRecord = z.infer<typeof UsageRecord>;

/** Records travel several to a message; each keeps its own id. JetStream stream USAGE. */
export const usageRecorded = defineEvent("usage.calls.recorded.v1", z.object({ records: z.array(UsageRecord).min(1) }));

/** One failed call to an upstream. */
const ObservedFailure = z.object({ message: z.string(), status: z.number().int(), atMs: z.number().int() });

/** A key that is passed over, or on trial; named by its HMAC, as in `channelObserved`. */
const ServedKey = z.object({ hash: z.string(), isOpen: z.boolean() });

/** How the calls to channels went since this relay's last report, every few seconds: only those with calls or open breakers. */
export const channelsServed = defineEvent(
  "relay.channels.served.v1",
  z.object({
    relayId: z.string(),
    atMs: z.number().int(),
    channels: z.array(
      z.object({
        channelId: z.number().int(),
        calls: z.number().int(),
        failures: z.number().int(),
        /** Sum over the good calls of the time until the first byte. */
        latencyMs: z.number(),
        /** Keys that are passed over now, and those on trial. */
        openKeys: z.number().int(),
        trialKeys: z.number().int(),
        /** Which ones they are, the first hundred. */
        keys: z.array(ServedKey).default([]),
        errors: z.array(ObservedFailure),
      }),
    ),
  }),
);

/** What a relay saw of a channel that its keeper should know: a failure that asks for disabling. */
export const channelObserved = defineEvent(
  "relay.channel.observed.v1",
  z.object({
    channelId: z.number().int(),
    /** HMAC of the key by `createLookupHash`: a place in a list could mean another key by the time the report arrives. */
    keyHash: z.string(),
    disable: z.boolean(),
    /** The channel fails by any of its keys, not this one alone. */
    isWhole: z.boolean().optional(),
    reason: z.string(),
    status: z.number().int(),
  }),
);
