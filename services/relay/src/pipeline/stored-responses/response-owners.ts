import type { Redis } from "@turnpike/shared/redis/redis";
import { defineScript, type Script } from "@turnpike/shared/redis/script";
import { getEventsMember, getKeys, getMember, type ResponsePlace } from "./response-keys.ts";
import { HAND_OVER, TAKE_OVER } from "./stored-response-scripts.ts";

/** One run of a background response: each relay that takes it over begins another one. */
export type ResponseRun = {
  readonly run: number;
  /** How many relays died while they ran it. */
  readonly deaths: number;
  /** Pieces of events that the runs before have stored. */
  readonly pieces: number;
  readonly isCancelled: boolean;
};

/** The owner of a response that its relay gave up. */
export const NO_RELAY = "none";
/** For how long the index outlives the last change of its relay. */
const INDEX_SECONDS = 7 * 86_400;
const RELAYS_KEY = "background:relays";
const getIndexKey = (relayId: string): string => `background:of:${relayId}`;

const toMember = ({ userId, id }: ResponsePlace): string => `${userId}:${id}`;
function toPlace(member: string): ResponsePlace {
  const colon = member.indexOf(":");
  return { userId: Number(member.slice(0, colon)), id: member.slice(colon + 1) };
}

/**
 * Which relay runs which background response. The response itself decides; an index by relay, which a Redis that fails over
 * may lose in part, only shows where to look. All methods reject while Redis is down.
 */
export class ResponseOwners {
  readonly relayId: string;
  readonly #redis: Redis;
  readonly #takeOver: Script;
  readonly #handOver: Script;

  constructor({ redis, relayId }: { readonly redis: Redis; readonly relayId: string }) {
    this.#redis = redis;
    this.relayId = relayId;
    this.#takeOver = defineScript(redis, TAKE_OVER);
    this.#handOver = defineScript(redis, HAND_OVER);
  }

  /** Adds responses to the index. */
  async list(places: readonly ResponsePlace[], relayId = this.relayId): Promise<void> {
    const key = getIndexKey(relayId);
    await this.#redis.sadd(key, ...places.map(toMember));
    await this.#redis.expire(key, INDEX_SECONDS);
    await this.#redis.sadd(RELAYS_KEY, relayId);
  }

  async unlist(place: ResponsePlace, relayId = this.relayId): Promise<void> {
    await this.#redis.srem(getIndexKey(relayId), toMember(place));
  }

  /** The relays that run background responses, or did. */
  listRelays(): Promise<string[]> {
    return this.#redis.smembers(RELAYS_KEY);
  }

  async forgetRelay(relayId: string): Promise<void> {
    await this.#redis.srem(RELAYS_KEY, relayId);
  }

  async listResponses(relayId: string): Promise<ResponsePlace[]> {
    return (await this.#redis.smembers(getIndexKey(relayId))).map(toPlace);
  }

  /** Takes over a response of a relay that does not run any more; undefined if it ended, or another relay was faster. */
  async takeOver(place: ResponsePlace, from: string): Promise<ResponseRun | undefined> {
    const [, , response = "", events = ""] = getKeys(place, getMember(place), getEventsMember(place));
    const died = from === NO_RELAY ? 0 : 1;
    const reply = (await this.#takeOver(2, response, events, from, this.relayId, died)) as (number | string)[];
    if (reply.length === 0) return undefined;
    const [run, deaths, pieces, cancel] = reply;
    return { run: Number(run), deaths: Number(deaths), pieces: Number(pieces), isCancelled: cancel === "1" };
  }

  /** Gives up a response, so that another relay takes it over at once. */
  async handOver(place: ResponsePlace, run: number): Promise<void> {
    const [, , response = ""] = getKeys(place, getMember(place));
    // Before the response itself: what is not in the index is not found.
    await this.list([place], NO_RELAY);
    await this.#handOver(1, response, this.relayId, run, NO_RELAY);
    await this.unlist(place);
  }

  /** Whether this relay's run of a response is the current one, or the response was deleted: no other relay runs it then. */
  async isOwner(place: ResponsePlace, run: number): Promise<boolean> {
    const [, , response = ""] = getKeys(place, getMember(place));
    const [relayId, current] = await this.#redis.hmget(response, "relay", "run");
    return !relayId || (relayId === this.relayId && Number(current ?? 0) === run);
  }

  /** Whether a response runs on some relay, or waits for one. */
  async isRunning(place: ResponsePlace): Promise<boolean> {
    const [, , response = ""] = getKeys(place, getMember(place));
    return (await this.#redis.hget(response, "state")) === "running";
  }
}
