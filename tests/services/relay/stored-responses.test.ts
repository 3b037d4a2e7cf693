import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { createSecretBox } from "@turnpike/shared/crypto/secret-box";
import { createLogger } from "@turnpike/shared/log/log";
import { connectRedis, waitForRedis } from "@turnpike/shared/redis/redis";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { StoredResponses } from "../../../services/relay/src/pipeline/stored-responses/stored-responses.ts";
import { testBacking } from "../../lib/backing/test-backing.ts";

const { redisUrl: url, namespace } = testBacking();
const redis = connectRedis({ url, namespace: `${namespace}-responses`, log: createLogger("test", "silent") });
const bounds: Record<string, number> = {};
const options = { number: (name: string) => bounds[name] ?? 0 } as unknown as OptionsInForce;
const secretBox = createSecretBox("ab".repeat(32));
const createStore = (relayId: string) =>
  new StoredResponses({ redis, relayId, secretBox, options: () => options, now: Date.now });
const [owner, other] = [createStore("owner"), createStore("other")];
const NEW = { isRunning: false, isUpdate: false };
const RUNNING = { isRunning: true, isUpdate: false };
/** About 400 KB at rest. */
const LARGE = { response: { text: "w".repeat(300_000) }, input: [] };
const event = (number: number) => ({ number, text: `event ${number}` });
let user = 0;

beforeAll(() => waitForRedis(redis, 5_000));
beforeEach(() => {
  Object.assign(bounds, { StoredResponseSeconds: 100, StoredResponseUserMB: 1, StoredResponseMB: 100 });
  user++;
});
afterAll(() => redis.disconnect());

const place = (id: string, userId = user) => ({ userId, id });
const isStored = async (id: string): Promise<boolean> => (await other.read(place(id))) !== undefined;
/** What is counted for all users. */
const sumBytes = async (): Promise<number> =>
  Object.values(await redis.hgetall("responses:bytes")).reduce((sum, bytes) => sum + Number(bytes), 0);

describe("stored response", () => {
  it("is read by every relay, for its user alone, until it is deleted", async () => {
    const content = { response: { id: "a" }, input: [{ type: "message" }], continues: "resp_sealed" };
    expect(await owner.put(place("a"), content, NEW)).toBe(true);
    expect(await other.read(place("a"))).toEqual({
      ...content,
      isCancelled: false,
      isRunning: false,
      relayId: "owner",
    });
    expect(await other.read(place("a", user + 1_000))).toBeUndefined();
    expect([await other.remove(place("a")), await other.remove(place("a"))]).toEqual([true, false]);
    expect(await isStored("a")).toBe(false);
  });

  it("does not come back when it ends after it was deleted", async () => {
    await owner.put(place("a"), { response: {}, input: [] }, RUNNING);
    await other.remove(place("a"));
    expect(await owner.put(place("a"), { response: {}, input: [] }, { isRunning: false, isUpdate: true })).toBe(false);
    expect(await isStored("a")).toBe(false);
  });

  it("takes changes of several relays one after the other, within the space of its user", async () => {
    await owner.put(place("a"), { response: {}, input: [] }, NEW);
    const add = (number: number) =>
      (number % 2 === 0 ? owner : other).change(place("a"), (kept) => ({
        ...kept,
        input: [...kept.input, { number }],
      }));
    const changed = await Promise.all(Array.from({ length: 12 }, (_, number) => add(number)));
    expect(changed.every((content) => content !== undefined)).toBe(true);
    const numbers = (await owner.read(place("a")))?.input.map(({ number }) => Number(number)) ?? [];
    expect(numbers.toSorted((one, two) => one - two)).toEqual(Array.from({ length: 12 }, (_, number) => number));
    const large = await owner.change(place("a"), (kept) => ({ ...kept, response: { text: "w".repeat(1_000_000) } }));
    expect([large, (await owner.read(place("a")))?.response]).toEqual([undefined, {}]);
    expect(await owner.change(place("unknown"), (kept) => kept)).toBeUndefined();
  });

  it("is not opened at another place, even where Redis holds it there", async () => {
    await owner.put(place("a"), { response: {}, input: [] }, NEW);
    await owner.put(place("b"), { response: {}, input: [] }, NEW);
    const names = (await redis.keys(`${namespace}-responses:responses:{${user}}:*`)).map((name) =>
      name.slice(`${namespace}-responses:`.length),
    );
    const [first = "", second = ""] = names.filter((name) => !/:(order|bytes)$/.test(name));
    await redis.hset(first, "content", (await redis.hget(second, "content")) ?? "");
    const results = await Promise.allSettled([owner.read(place("a")), owner.read(place("b"))]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });

  it("replaces the oldest ones of a user whose space is used up", async () => {
    for (const id of ["1", "2", "3", "4"]) expect(await owner.put(place(id), LARGE, NEW)).toBe(true);
    expect(await Promise.all(["1", "2", "3", "4"].map(isStored))).toEqual([false, false, true, true]);
    const larger = { response: { text: "w".repeat(1_000_000) }, input: [] };
    expect(await owner.put(place("5"), larger, NEW)).toBe(false);
    expect(await isStored("4")).toBe(true);
  });

  it("is not stored beyond the space of all users, which is counted to the byte", async () => {
    const before = await sumBytes();
    bounds["StoredResponseMB"] = 1 + Math.ceil(before / 1024 / 1024);
    const users = Array.from({ length: 6 }, (_, index) => 10_000 * user + index);
    const stored = [];
    for (const one of users) stored.push(await owner.put(place("a", one), LARGE, NEW));
    expect([stored[0], stored.at(-1)]).toEqual([true, false]);
    // A running one ends all the same.
    const ended = { response: { text: "w".repeat(310_000) }, input: [] };
    expect(await owner.put(place("a", users[0]), ended, { isRunning: false, isUpdate: true })).toBe(true);
    for (const one of users) await owner.remove(place("a", one));
    expect(await sumBytes()).toBe(before);
  });
});

describe("event log of a response", () => {
  it("appends events once, in order, and reads them from any piece on", async () => {
    await owner.put(place("a"), { response: {}, input: [] }, RUNNING);
    const first = { events: [event(0), event(1)], isEnd: false };
    for (let time = 0; time < 2; time++)
      expect(await owner.append(place("a"), first, 0)).toEqual({
        isStored: true,
        isCancelled: false,
        isTakenOver: false,
      });
    await owner.append(place("a"), { events: [event(2)], isEnd: true }, 1);
    expect(await other.readEvents(place("a"), 0)).toEqual([
      { relayId: "owner", ...first },
      { relayId: "owner", events: [event(2)], isEnd: true },
    ]);
    expect(await other.readEvents(place("a"), 1)).toHaveLength(1);
  });

  it("is dropped where some of its events are missing", async () => {
    await owner.append(place("a"), { events: [event(0)], isEnd: false }, 0);
    expect((await owner.append(place("a"), { events: [event(5)], isEnd: false }, 3)).isStored).toBe(false);
    expect(await owner.readEvents(place("a"), 0)).toEqual([]);
  });

  it("reports that its response was cancelled or deleted", async () => {
    const beat = () => owner.append(place("a"), { events: [], isEnd: false }, 0);
    await owner.put(place("a"), { response: {}, input: [] }, RUNNING);
    expect((await beat()).isCancelled).toBe(false);
    expect(await other.cancel(place("a"))).toBe(true);
    expect((await beat()).isCancelled).toBe(true);
    await owner.put(place("b"), { response: {}, input: [] }, NEW);
    expect(await other.cancel(place("b"))).toBe(false);
    await other.remove(place("a"));
    expect((await beat()).isCancelled).toBe(true);
  });
});
