import { setTimeout as wait } from "node:timers/promises";
import { AckPolicy, jetstream, jetstreamManager, type JsMsg } from "@nats-io/jetstream";
import { connectNats, type NatsConnection } from "@turnpike/shared/events/bus";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createStreamBarrier } from "../../../../services/billing/src/usage-stream/stream-barrier.ts";
import { getUsageStream } from "../../../../services/billing/src/usage-stream/usage-stream.ts";
import { testBacking } from "../../../lib/backing/test-backing.ts";
import { log } from "../billing-world.ts";

const { natsUrl, namespace } = testBacking();
const work = getUsageStream(namespace);
const subject = (work.subjects[0] ?? "").replace(">", "recorded");

let nats: NatsConnection;
let message: JsMsg;
beforeAll(async () => {
  nats = await connectNats({ url: natsUrl, name: "barrier-test", log });
  const manager = await jetstreamManager(nats);
  await manager.streams.add({ name: work.stream, subjects: [...work.subjects] });
  await manager.consumers.add(work.stream, { durable_name: work.consumer, ack_policy: AckPolicy.Explicit });
});
beforeEach(async () => {
  await jetstream(nats).publish(subject, "a record");
  const consumer = await jetstream(nats).consumers.get(work.stream, work.consumer);
  message = (await consumer.next()) as JsMsg;
});
afterAll(async () => {
  await (await jetstreamManager(nats)).streams.delete(work.stream);
  await nats.close();
});

it("waits for usage that is being posted, up to its time limit", async () => {
  const pass = createStreamBarrier({ nats, work, timeoutMs: 6_000 })();
  let hasPassed = false;
  void pass.then(() => (hasPassed = true));
  await wait(3_000);
  expect(hasPassed).toBe(false);
  message.ack();
  await pass;
});

it("gives up after the time limit", async () => {
  const startedAtMs = Date.now();
  await expect(createStreamBarrier({ nats, work, timeoutMs: 1_000 })()).rejects.toMatchObject({ code: "unavailable" });
  expect(Date.now() - startedAtMs).toBeGreaterThan(700);
  message.ack();
});
