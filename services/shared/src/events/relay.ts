import { z } from "zod";
import { defineEvent } from "./define-event.ts";

/** Longer ids of responses are not stored; a provider's have 24 to 70 characters, those of another gateway up to 200. */
export const RESPONSE_ID_LENGTH_MAX = 256;

/**
 * The usage and charge of one call: the record that billing posts. `requestId` makes delivery idempotent. `other` is the
 * JSON text of the log row's `other` field.
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
  /** What the upstream charges the operator for the call, in quota units; missing while that is unknown. */
  cost: z.number().int().min(0).optional().catch(undefined),
  /** Where the cost comes from: `COST_SOURCES`, or `cache` for a response from the response cache. */
  costSource: z.string().max(32).optional().catch(undefined),
  content: z.string(),
  clientIp: z.string(),
  other: z.string(),
  /** The id that upstream gave the response of a charged call, by which its row is found; missing where it gave none. */
  responseId: z.string().max(RESPONSE_ID_LENGTH_MAX).optional().catch(undefined),
  /** The code and HTTP status of a failed call, by which its row is found. */
  errorCode: z.string().max(64).optional().catch(undefined),
  errorStatus: z.number().int().optional().catch(undefined),
  /**
   * True when the record was made from a hold whose relay died: the quota is the settled amount or, failing that, an
   * estimate.
   */
  recovered: z.boolean().optional(),
  /** With `recovered`: the quota is the settled cost, not an estimate. */
  settled: z.boolean().optional(),
  /** Set by billing for a record whose message was not signed: a signed record of the call replaces it. */
  unsigned: z.boolean().optional(),
  /**
   * The call ended without cost. Posts nothing; it corrects a record that was recovered from the hold, which was taken
   * for that of a dead relay.
   */
  released: z.boolean().optional(),
  /** The call's span in W3C Trace Context form, for traced calls; not used for money. */
  trace: z.string().max(64).optional().catch(undefined),
});
export type UsageRecord = z.infer<typeof UsageRecord>;

/** Records travel several to a message; each keeps its own id. JetStream stream USAGE. */
export const usageRecorded = defineEvent("usage.calls.recorded.v1", z.object({ records: z.array(UsageRecord).min(1) }));

/** One failed call to an upstream. */
const ObservedFailure = z.object({ message: z.string(), status: z.number().int(), atMs: z.number().int() });

/** A key whose circuit breaker is open or half-open; named by its HMAC, as in `channelObserved`. */
const ServedKey = z.object({ hash: z.string(), isOpen: z.boolean() });

/**
 * Channel statistics since this relay's last report, every few seconds: only channels with calls or open circuit
 * breakers.
 */
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
        /** Total time to first byte of the successful calls. */
        latencyMs: z.number(),
        /** The number of keys with an open and with a half-open circuit breaker. */
        openKeys: z.number().int(),
        trialKeys: z.number().int(),
        /** The first 100 of these keys. */
        keys: z.array(ServedKey).default([]),
        errors: z.array(ObservedFailure),
      }),
    ),
  }),
);

/** A relay's observation that the channel service must handle: a failure that calls for disabling. */
export const channelObserved = defineEvent(
  "relay.channel.observed.v1",
  z.object({
    channelId: z.number().int(),
    /** HMAC of the key by `createLookupHash`: an index could mean another key by the time the report arrives. */
    keyHash: z.string(),
    disable: z.boolean(),
    /** All keys of the channel fail, not only this one. */
    isWhole: z.boolean().optional(),
    reason: z.string(),
    status: z.number().int(),
  }),
);
