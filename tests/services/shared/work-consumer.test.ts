import { jetstream, type JetStreamManager } from "@nats-io/jetstream";
import { connectNats, encodeEvent, getSubject, type NatsConnection } from "@turnpike/shared/events/bus";
import { defineEvent } from "@turnpike/shared/events/define-event";
import { createEventConsumer, onEvent } from "@turnpike/shared/events/event-consumer";
import { createWorkConsumer, type WorkMessage } from "@turnpike/shared/events/work-consumer";
import {
  createWorkPublisher,
  ensureWorkStream,
  getStreamManager,
  getWorkStream,
  type WorkStream,
} from "@turnpike/shared/events/work-stream";
import { createLogger } from "@turnpike/shared/log/log";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { testBacking } from "../../lib/backing/test-backing.ts";

const log = createLogger("work-consumer-test", "silent");
const { natsUrl, namespace: ofFile } = testBacking();
const WAIT = { timeout: 20_000, interval: 20 };
const parcelSent = defineEvent("test.parcel.sent.v1", z.object({ weight: z.number() }));

let nats: NatsConnection;
let manager: JetStreamManager;
/** Each test has a stream and subjects of its own. */
let namespace: string;
let work: WorkStream;
let tests = 0;
beforeAll(async () => {
  nats = await connectNats({ url: natsUrl, name: "work-consumer-test", log });
  manager = await getStreamManager(nats);
});
beforeEach(() => {
  namespace = `${ofFile}-${++tests}`;
  work = getWorkStream(namespace, { stream: "PARCELS", consumer: "test", subjects: [parcelSent.subject] });
});
afterEach(async () => void (await manager.streams.delete(work.stream).catch(() => undefined)));
afterAll(() => nats.close());

const publisher = () => createWorkPublisher({ nats, namespace, source: "test", event: parcelSent, work });
const consumer = (handle: (weight: number, id: string) => Promise<void>) =>
  createEventConsumer({
    nats,
    namespace,
    work,
    handlers: [onEvent(parcelSent, ({ weight }, id) => handle(weight, id))],
    log,
  });
const pending = async (): Promise<number> => {
  const info = await manager.consumers.info(work.stream, work.consumer);
  return info.num_pending + info.num_ack_pending;
};

describe("an event consumer", () => {
  it("handles each event on one replica", async () => {
    const seen: number[] = [];
    const replicas = [1, 2].map(() => consumer(async (weight) => void seen.push(weight)));
    for (const replica of replicas) replica.start();
    const publish = publisher();
    const weights = Array.from({ length: 30 }, (_, index) => index);
    await Promise.all(weights.map((weight) => publish({ weight }, `parcel-${weight}`)));
    await publish({ weight: 7 }, "parcel-7");
    await vi.waitFor(async () => expect([seen.length, await pending()]).toEqual([30, 0]), WAIT);
    expect(seen.toSorted((a, b) => a - b)).toEqual(weights);
    for (const replica of replicas) await replica.stop();
  });

  it("is given a failed event again", async () => {
    const ids: string[] = [];
    const failsOnce = async (_weight: number, id: string): Promise<void> => {
      ids.push(id);
      if (ids.length === 1) throw new Error("no");
    };
    const replica = consumer(failsOnce);
    replica.start();
    await publisher()({ weight: 1 }, "a");
    await vi.waitFor(async () => expect([ids, await pending()]).toEqual([["a", "a"], 0]), WAIT);
    await replica.stop();
  });

  it("drops what it cannot parse and continues", async () => {
    const seen: number[] = [];
    await ensureWorkStream(nats, work);
    const subject = getSubject(namespace, parcelSent.subject);
    await jetstream(nats).publish(subject, "no event");
    await jetstream(nats).publish(subject, encodeEvent(parcelSent, "test", { weight: 3 }));
    const replica = consumer(async (weight) => void seen.push(weight));
    replica.start();
    await vi.waitFor(async () => expect([seen, await pending()]).toEqual([[3], 0]), WAIT);
    await replica.stop();
  });

  it("finishes the event in progress when it is stopped, and leaves the others to other replicas", async () => {
    const begun = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const [first, second]: number[][] = [[], []];
    const stopped = consumer(async (weight) => {
      begun.resolve();
      await end.promise;
      first?.push(weight);
    });
    stopped.start();
    const publish = publisher();
    await publish({ weight: 1 }, "one");
    await begun.promise;
    const stop = stopped.stop();
    end.resolve();
    await stop;
    await publish({ weight: 2 }, "two");
    const other = consumer(async (weight) => void second?.push(weight));
    other.start();
    await vi.waitFor(() => expect([first, second]).toEqual([[1], [2]]), WAIT);
    await other.stop();
  });
});

describe("a work consumer", () => {
  it("creates its stream again when it is lost", async () => {
    const texts: string[] = [];
    const add = async (message: WorkMessage): Promise<void> => {
      texts.push(message.text());
      message.ack();
    };
    const finish = () => Promise.resolve();
    const replica = createWorkConsumer({ nats, work, open: () => ({ add, finish }), log });
    replica.start();
    await vi.waitFor(() => expect(replica.hasBegun()).toBe(true), WAIT);
    await manager.streams.delete(work.stream);
    const subject = getSubject(namespace, parcelSent.subject);
    await vi.waitFor(() => jetstream(nats, { timeout: 500 }).publish(subject, "after the loss"), WAIT);
    await vi.waitFor(() => expect(texts).toEqual(["after the loss"]), WAIT);
    await replica.stop();
  });

  it("lets its receiver finish what it holds before it stops", async () => {
    const held: WorkMessage[] = [];
    const add = async (message: WorkMessage): Promise<void> => void held.push(message);
    const finish = async (): Promise<void> => held.forEach((message) => message.ack());
    const replica = createWorkConsumer({ nats, work, open: () => ({ add, finish }), log });
    replica.start();
    await publisher()({ weight: 1 }, "one");
    await vi.waitFor(() => expect(held).toHaveLength(1), WAIT);
    await replica.stop();
    await vi.waitFor(async () => expect(await pending()).toBe(0), WAIT);
  });
});

describe("a work stream", () => {
  it("keeps events until they are handled, and never drops the oldest for new ones", async () => {
    await ensureWorkStream(nats, work);
    const { config } = await manager.streams.info(work.stream);
    expect(config).toMatchObject({ retention: "workqueue", discard: "new", max_age: 0, storage: "file" });
  });

  it("applies changed settings to a stream and a consumer that exist", async () => {
    const limited = { ...work, retention: { ageMs: 86_400_000, messagesMax: 100 }, deliveriesMax: 5 };
    await ensureWorkStream(nats, limited);
    await ensureWorkStream(nats, { ...limited, retention: { ageMs: 3_600_000, messagesMax: 50 }, deliveriesMax: 7 });
    const { config } = await manager.streams.info(work.stream);
    expect(config).toMatchObject({ retention: "limits", discard: "old", max_msgs: 50, max_age: 3_600_000 * 1_000_000 });
    expect((await manager.consumers.info(work.stream, work.consumer)).config.max_deliver).toBe(7);
  });
});
