import { hash } from "node:crypto";
import type { RelayCall } from "../core/call/relay-call.ts";

/** How many characters of the first messages identify a conversation. */
const TEXT_LENGTH_MAX = 4_096;

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

function getUser(body: RelayCall["body"]): unknown {
  const metadata = body["metadata"];
  const ofAnthropic =
    typeof metadata === "object" && metadata !== null ? (metadata as Record<string, unknown>)["user_id"] : undefined;
  return body["user"] ?? body["safety_identifier"] ?? ofAnthropic;
}

/** The beginning of a conversation: the part that is the same in each of its calls. */
function getBeginning(body: RelayCall["body"]): string {
  const turns = body["messages"] ?? body["contents"] ?? body["input"];
  const firstTurns = Array.isArray(turns) ? turns.slice(0, 2) : turns;
  const system = body["system"] ?? body["systemInstruction"] ?? body["instructions"];
  // The second turn is the assistant's and missing in the first call, so it is included only if the first turn is the
  // system's.
  const hasSystemTurn = Array.isArray(turns) && /^(system|developer)$/.test(String(turns[0]?.["role"]));
  const first = hasSystemTurn || !Array.isArray(firstTurns) ? firstTurns : firstTurns.slice(0, 1);
  return JSON.stringify([system, first]).slice(0, TEXT_LENGTH_MAX);
}

/**
 * The affinity name of a call's conversation, the same on every relay: the caller's own (a session header, `prompt_cache_key`, a user),
 * else derived from the conversation's beginning. Never shared between users of this site.
 */
export function getSessionAffinityKey(call: RelayCall): string {
  const { body, model, sessionId } = call;
  const key = body["prompt_cache_key"];
  const user = getUser(body);
  const identity = isText(sessionId)
    ? `s${sessionId}`
    : isText(key)
      ? `k${key}`
      : isText(user)
        ? `u${user}`
        : getBeginning(body);
  return hash("sha1", `${call.admitted.caller.known.token.userId} ${model} ${identity}`);
}

/** A number between 0 and 1 derived from a name and a place: uniformly distributed, the same on every relay. */
function getUniformHash(name: string, place: string): number {
  return (Number.parseInt(hash("sha1", `${name} ${place}`).slice(0, 12), 16) + 1) / 2 ** 48;
}

/**
 * The rendezvous score of a place for a name: the place with the highest score is chosen. Places are chosen in
 * proportion to their weights, and adding or removing one moves only its own names.
 */
export const computeRendezvousScore = (name: string, place: string, weight = 1): number =>
  weight / -Math.log(getUniformHash(name, place));
