import { hash } from "node:crypto";
import type { RelayCall } from "../core/call/relay-call.ts";

/** So much of the first messages tells conversations apart. */
const TEXT_LENGTH_MAX = 4_096;

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

function userOf(body: RelayCall["body"]): unknown {
  const metadata = body["metadata"];
  const ofAnthropic =
    typeof metadata === "object" && metadata !== null ? (metadata as Record<string, unknown>)["user_id"] : undefined;
  return body["user"] ?? body["safety_identifier"] ?? ofAnthropic;
}

/** How a conversation begins: what stays the same in each of its calls. */
function beginningOf(body: RelayCall["body"]): string {
  const turns = body["messages"] ?? body["contents"] ?? body["input"];
  const firstTurns = Array.isArray(turns) ? turns.slice(0, 2) : turns;
  const system = body["system"] ?? body["systemInstruction"] ?? body["instructions"];
  // A conversation's second turn is an answer, which its first call does not have yet, unless the first turn is the system's.
  const hasSystemTurn = Array.isArray(turns) && /^(system|developer)$/.test(String(turns[0]?.["role"]));
  const first = hasSystemTurn || !Array.isArray(firstTurns) ? firstTurns : firstTurns.slice(0, 1);
  return JSON.stringify([system, first]).slice(0, TEXT_LENGTH_MAX);
}

/**
 * A name for the conversation that a call belongs to, the same on every relay: the caller's own word (`prompt_cache_key`, a user),
 * else how the conversation begins. Never shared between users of this site.
 */
export function getSessionAffinityKey(call: RelayCall): string {
  const { body, model } = call;
  const key = body["prompt_cache_key"];
  const user = userOf(body);
  const told = isText(key) ? `k${key}` : isText(user) ? `u${user}` : beginningOf(body);
  return hash("sha1", `${call.admitted.caller.known.token.userId} ${model} ${told}`);
}

/** A number between 0 and 1 that stands for the name at this place: evenly spread, the same everywhere. */
function getUniformHash(name: string, place: string): number {
  return (Number.parseInt(hash("sha1", `${name} ${place}`).slice(0, 12), 16) + 1) / 2 ** 48;
}

/**
 * How much a place wants a name: the place with the highest figure gets it. Places are chosen in the ratio of their weights, and one
 * that goes or comes moves only the names that are its own.
 */
export const computeRendezvousScore = (name: string, place: string, weight = 1): number =>
  weight / -Math.log(getUniformHash(name, place));
