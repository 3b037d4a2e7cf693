import { z } from "zod";
import type { UsageRecord } from "../events/relay.ts";
import { parseObject } from "./json-object.ts";
import type { OpenEntry } from "./account-keys.ts";

/** An open call in Redis. */
export type OpenCall = { readonly userId: number; readonly requestId: string; readonly entry: OpenEntry };

const text = z.string().catch("");
const count = z.number().int().min(0).catch(0);

/** A relay's details of a call, with short names; each is optional because a call must be posted in any case. */
const OpenCallDetails = z.object({
  u: text,
  /** The token's id, also for a token without a budget. */
  i: count,
  t: text,
  m: text,
  c: count,
  cn: text,
  g: text,
  s: z.union([z.literal(0), z.literal(1)]).catch(0),
  p: count,
  o: count,
  /** The cost of the prompt and the completion tokens so far. */
  q: z.number().int().min(0).optional().catch(undefined),
  at: count,
  r: text,
});
type OpenCallDetails = z.infer<typeof OpenCallDetails>;

/** Parses a relay's details of an open call; empty when they cannot be parsed. */
export const parseOpenCallDetails = (entry: OpenEntry): OpenCallDetails =>
  OpenCallDetails.parse(parseObject(entry.json));

/**
 * The usage record of a call whose relay died: a settled call at its cost, any other at the cost of its prompt and of
 * what the relay last reported as sent (at its hold when that is unknown).
 */
export function toRecoveredRecord({ userId, requestId, entry }: OpenCall, nowSeconds: number): UsageRecord {
  const details = parseOpenCallDetails(entry);
  return {
    requestId,
    type: 2,
    createdAtSeconds: details.at > 0 ? details.at : nowSeconds,
    userId,
    username: details.u,
    tokenId: details.i > 0 ? details.i : entry.tokenId,
    tokenName: details.t,
    modelName: details.m,
    channelId: details.c,
    channelName: details.cn,
    group: details.g,
    isStream: details.s === 1,
    useTimeSeconds: details.at > 0 ? Math.max(0, nowSeconds - details.at) : 0,
    promptTokens: details.p,
    completionTokens: details.o,
    quota: entry.settled ? entry.amount : Math.min(entry.amount, details.q ?? entry.amount),
    content: entry.settled ? "中继中断，按已结算费用入账" : "中继中断，按预留结算",
    clientIp: "",
    other: JSON.stringify({ ...parseObject(details.r), recovered: true }),
    recovered: true,
    ...(entry.settled ? { settled: true } : {}),
  };
}

/**
 * The report that a call cost nothing although its hold was missing or claimed when it was released: billing then
 * reverts what it posted for it.
 */
export function toReleasedRecord(call: { userId: number; requestId: string }, nowSeconds: number): UsageRecord {
  return {
    ...call,
    type: 6,
    createdAtSeconds: nowSeconds,
    username: "",
    tokenId: 0,
    tokenName: "",
    modelName: "",
    channelId: 0,
    channelName: "",
    group: "",
    isStream: false,
    useTimeSeconds: 0,
    promptTokens: 0,
    completionTokens: 0,
    quota: 0,
    content: "",
    clientIp: "",
    other: "{}",
    released: true,
  };
}
