import type { UsageRecord } from "@turnpike/shared/events/relay";
import type { KnownToken } from "../../core/call/caller.ts";
import { type RelayCall, getLastChannel } from "../../core/call/relay-call.ts";

/** The data of a call that usage posting needs, for every kind of call. */
export type PostedCall = Pick<
  RelayCall,
  "requestId" | "startedAtMs" | "address" | "admitted" | "model" | "group" | "stream" | "tried"
>;

/** The value of the first-token time (ms) if nothing was sent, as existing log readers expect it. */
export const NO_FIRST_BYTE = -1000;

/** The part of a log row that every call has. */
export function getRecordFields(
  call: PostedCall,
  nowMs: number,
): Omit<UsageRecord, "type" | "promptTokens" | "completionTokens" | "quota" | "content" | "other"> {
  const channel = getLastChannel(call);
  const { known, principal } = call.admitted.caller;
  return {
    requestId: call.requestId,
    createdAtSeconds: Math.floor(nowMs / 1000),
    userId: known.token.userId,
    username: principal.username,
    tokenId: known.token.id,
    tokenName: known.token.name,
    modelName: call.model,
    channelId: channel?.id ?? 0,
    channelName: channel?.name ?? "",
    group: call.group,
    isStream: call.stream,
    useTimeSeconds: Math.round((nowMs - call.startedAtMs) / 1000),
    clientIp: principal.showIpInLogs ? call.address : "",
  };
}

/** The tried channels, in the format of a log row. */
export const triedChannels = ({ tried }: PostedCall): { use_channel: string[] } => ({
  use_channel: tried.map(({ channel }) => String(channel.id)),
});

/** Serialized fields cached for one token. */
const FACTS_MAX = 200;
/** The serialized recovery fields that are the same for many calls, without the closing brace. */
const fixedFacts = new WeakMap<KnownToken, Map<string, string>>();

function getFixedFacts(call: PostedCall): string {
  const { known, principal } = call.admitted.caller;
  const channel = getLastChannel(call);
  const key = `${channel?.id ?? 0} ${call.stream ? 1 : 0} ${call.group} ${call.model}`;
  const facts = fixedFacts.get(known) ?? new Map<string, string>();
  fixedFacts.set(known, facts);
  const written = facts.get(key);
  if (written !== undefined) return written;
  const text = JSON.stringify({
    u: principal.username,
    i: known.token.id,
    t: known.token.name,
    m: call.model,
    c: channel?.id ?? 0,
    cn: channel?.name ?? "",
    g: call.group,
    s: call.stream ? 1 : 0,
  }).slice(0, -1);
  if (facts.size >= FACTS_MAX) facts.clear();
  facts.set(key, text);
  return text;
}

/** The fields with which billing can post a call whose relay died; names are short because every call sends them. */
export function recoveryJson(
  call: PostedCall,
  figures: { promptQuota: number; promptTokens: number; completionTokens: number },
): string {
  const { promptQuota, promptTokens, completionTokens } = figures;
  const at = Math.floor(call.startedAtMs / 1000);
  return `${getFixedFacts(call)},"p":${promptTokens},"o":${completionTokens},"q":${promptQuota},"at":${at}}`;
}
