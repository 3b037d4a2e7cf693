import { createHash } from "node:crypto";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { SecretBox } from "@turnpike/shared/crypto/secret-box";
import type { Redis } from "@turnpike/shared/redis/redis";
import { defineScript, type Script } from "@turnpike/shared/redis/script";
import { readExactJson } from "../../core/chat/exact-json.ts";
import type { Json } from "../../core/chat/chat.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import type { CallCopy } from "./call-copy-fields.ts";
import { getEventsMember, getKeys, getMember, type ResponsePlace } from "./response-keys.ts";
import { StoredBytes, toHour } from "./stored-bytes.ts";
import { APPEND, CANCEL, PUT, REMOVE } from "./stored-response-scripts.ts";

/** What a later call needs of a response. */
export type StoredContent = {
  readonly response: Json;
  /** The whole conversation up to the response, as items. */
  readonly input: readonly Json[];
  /** The reasoning that its provider requires back, encrypted: the response holds it only if the caller requested it. */
  readonly reasoning?: string;
  /** The id under which the provider's account stores it, sealed: a later call continues that one. */
  readonly continues?: string;
  /** What another relay needs to run a background response again; only while it runs. */
  readonly copy?: CallCopy;
};

export type StoredResponse = StoredContent & {
  readonly isRunning: boolean;
  readonly relayId: string;
  readonly isCancelled: boolean;
};

/** An event of a stream, as it was sent. */
export type StoredEvent = { readonly number: number; readonly text: string };
/** Events that were stored together; `isEnd` for the last ones. */
export type EventPiece = {
  readonly relayId: string;
  readonly events: readonly StoredEvent[];
  readonly isEnd: boolean;
};

type Deps = {
  readonly redis: Redis;
  readonly relayId: string;
  readonly secretBox: SecretBox;
  readonly options: () => OptionsInForce;
  readonly now: () => number;
};

type PutOptions = {
  readonly isRunning: boolean;
  readonly isUpdate: boolean;
  /** The run of a background response that ends: nothing is stored if another relay has taken it over. */
  readonly run?: number | undefined;
};
/** `isTakenOver`: another relay runs the response. */
export type Appended = { readonly isStored: boolean; readonly isCancelled: boolean; readonly isTakenOver: boolean };

/** How often a change is tried that others' changes of the same content overtake. */
const CHANGES_MAX = 50;
/** The content that a change is based on is not the stored one any more. */
const OVERTAKEN = -2;
/** How long the events of a stream can be read again. */
const EVENT_SECONDS = 3_600;
const MEGABYTE = 1024 * 1024;

/** What a caller gets while Redis cannot be read. */
export function refuseUnreadable(cause: unknown): never {
  const why = "stored responses cannot be read right now";
  throw new RelayError("service_unavailable", why, { retryAfterSeconds: 1, cause });
}

/** Sealed texts are bound to their place, so that none can be moved to another user's. */
const createSeals = (secretBox: SecretBox) => ({
  seal: ({ userId, id }: ResponsePlace, value: unknown): string =>
    secretBox.seal(`${userId} ${id} ${JSON.stringify(value)}`),
  open({ userId, id }: ResponsePlace, sealed: string): unknown {
    const text = secretBox.open(sealed);
    const start = `${userId} ${id} `;
    if (!text.startsWith(start)) throw new Error("a stored response belongs to another place");
    return readExactJson(text.slice(start.length));
  },
});

/**
 * Responses that Turnpike keeps for providers that keep none, and the events of streams, in Redis: sealed at rest, found
 * only by their user, for the time of `StoredResponseSeconds` (events: an hour), and bounded by `StoredResponseUserMB`, beyond which
 * the user's oldest ones are dropped, and by `StoredResponseMB` for all users, beyond which nothing more is stored. All methods reject while Redis is down.
 */
export class StoredResponses {
  readonly relayId: string;
  readonly #deps: Deps;
  readonly #seals: ReturnType<typeof createSeals>;
  readonly #bytes: StoredBytes;
  readonly #put: Script;
  readonly #append: Script;
  readonly #remove: Script;
  readonly #cancel: Script;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.relayId = deps.relayId;
    this.#seals = createSeals(deps.secretBox);
    const getBytesMax = (): number => deps.options().number("StoredResponseMB") * MEGABYTE;
    this.#bytes = new StoredBytes({ ...deps, getBytesMax });
    this.#put = defineScript(deps.redis, PUT);
    this.#append = defineScript(deps.redis, APPEND);
    this.#remove = defineScript(deps.redis, REMOVE);
    this.#cancel = defineScript(deps.redis, CANCEL);
  }

  /** For how long responses are stored; 0 if they are not. */
  getSeconds(): number {
    return this.#deps.options().number("StoredResponseSeconds");
  }

  #getBytesMax(): number {
    return this.#deps.options().number("StoredResponseUserMB") * MEGABYTE;
  }

  /** Stores a response; `isUpdate` if it must be stored already. Returns whether it is stored. */
  async put(place: ResponsePlace, content: StoredContent, how: PutOptions): Promise<boolean> {
    // The end of a running response is stored in any case: it would seem to run until it expires.
    const bytesMax = how.isUpdate ? Number.MAX_SAFE_INTEGER : undefined;
    return (await this.#store(place, content, { ...how, bytesMax, replaced: "" })) === 1;
  }

  async #store(
    place: ResponsePlace,
    content: StoredContent,
    how: PutOptions & { readonly bytesMax: number | undefined; readonly replaced: string },
  ): Promise<number> {
    const member = getMember(place);
    const sealed = this.#seals.seal(place, content);
    const limits = [this.#deps.now(), this.getSeconds(), this.#getBytesMax()];
    const values = [
      how.isRunning ? "running" : "done",
      this.relayId,
      sealed,
      how.isUpdate ? 1 : 0,
      how.replaced,
      how.run ?? "",
    ];
    const hour = toHour(this.#deps.now() + this.getSeconds() * 1_000);
    const run = () => this.#put(3, ...getKeys(place, member), member, ...limits, ...values);
    const reply = await this.#within({ bytes: sealed.length, hour, bytesMax: how.bytesMax }, run);
    if (!reply) return 0;
    const [state, added, ...dropped] = reply as [number, number, ...number[]];
    await this.#bytes.reserve(added - sealed.length, hour);
    await this.#bytes.release(dropped);
    return state;
  }

  /**
   * Changes what is stored, one change after the other whichever relays make them, and returns the new content. Returns undefined if
   * nothing is stored there, or not enough space is left.
   */
  async change(
    place: ResponsePlace,
    change: (content: StoredContent) => StoredContent,
  ): Promise<StoredContent | undefined> {
    const [, , key = ""] = getKeys(place, getMember(place));
    for (let tries = 0; tries < CHANGES_MAX; tries++) {
      const sealed = await this.#deps.redis.hget(key, "content");
      if (!sealed) return undefined;
      const changed = change(this.#seals.open(place, sealed) as StoredContent);
      const replaced = createHash("sha1").update(sealed).digest("hex");
      const how = { isRunning: false, isUpdate: true, bytesMax: undefined, replaced };
      const state = await this.#store(place, changed, how);
      if (state !== OVERTAKEN) return state === 1 ? changed : undefined;
    }
    throw new Error("a stored content changes too often");
  }

  async read(place: ResponsePlace): Promise<StoredResponse | undefined> {
    const [, , key = ""] = getKeys(place, getMember(place));
    const [state, owner, cancel, content] = await this.#deps.redis.hmget(key, "state", "relay", "cancel", "content");
    if (!content) return undefined;
    const opened = this.#seals.open(place, content) as StoredContent;
    return { ...opened, isRunning: state === "running", relayId: owner ?? "", isCancelled: cancel === "1" };
  }

  /** Returns whether the response was stored. */
  async remove(place: ResponsePlace): Promise<boolean> {
    const member = getMember(place);
    const reply = await this.#remove(3, ...getKeys(place, member), member, getEventsMember(place));
    const [known, ...dropped] = reply as [number, ...number[]];
    await this.#bytes.release(dropped);
    return known === 1;
  }

  /** Returns whether the response is running: its relay then cancels it. */
  async cancel(place: ResponsePlace): Promise<boolean> {
    const [, , key = ""] = getKeys(place, getMember(place));
    return (await this.#cancel(1, key)) === 1;
  }

  /**
   * Appends events behind as many pieces as were stored `before`; none only show whether the response was cancelled. May be
   * repeated as it was after it was rejected. `run`: that of a background response.
   */
  async append(
    place: ResponsePlace,
    { events, isEnd }: Omit<EventPiece, "relayId">,
    before: number,
    run?: number,
  ): Promise<Appended> {
    const { relayId } = this;
    const sealed = events.length === 0 && !isEnd ? "" : this.#seals.seal(place, { relayId, events, isEnd });
    const member = getEventsMember(place);
    const keys = getKeys(place, member, getMember(place));
    const limits = [this.#deps.now(), EVENT_SECONDS, this.#getBytesMax()];
    const hour = toHour(this.#deps.now() + EVENT_SECONDS * 1_000);
    const append = () => this.#append(4, ...keys, member, ...limits, sealed, before, relayId, run ?? "");
    const reply = await this.#within({ bytes: sealed.length, hour, bytesMax: undefined }, append);
    if (!reply) return { isStored: false, isCancelled: false, isTakenOver: false };
    const [state, isCancelled, ...dropped] = reply as [number, string, ...number[]];
    if (state !== 1) await this.#bytes.reserve(-sealed.length, hour);
    await this.#bytes.release(dropped);
    return { isStored: state > 0, isCancelled: isCancelled === "1", isTakenOver: state === -1 };
  }

  /** Runs a script that stores so many bytes, if they fit into the space of all users. */
  async #within(
    { bytes, hour, bytesMax }: { readonly bytes: number; readonly hour: number; readonly bytesMax: number | undefined },
    run: () => Promise<unknown>,
  ): Promise<unknown> {
    if (!(await this.#bytes.reserve(bytes, hour, bytesMax))) return undefined;
    try {
      return await run();
    } catch (error) {
      await this.#bytes.reserve(-bytes, hour).catch(() => undefined);
      throw error;
    }
  }

  /** The pieces from the given one on. */
  async readEvents(place: ResponsePlace, from: number): Promise<EventPiece[]> {
    const [, , key = ""] = getKeys(place, getEventsMember(place));
    const pieces = await this.#deps.redis.lrange(key, from, -1);
    return pieces.map((piece) => this.#seals.open(place, piece) as EventPiece);
  }
}
