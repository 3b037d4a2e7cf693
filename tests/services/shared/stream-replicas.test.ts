import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connectNats, type NatsConnection } from "@turnpike/shared/events/bus";
import { ensureWorkStream, getWorkStream } from "@turnpike/shared/events/work-stream";
import { createLogger } from "@turnpike/shared/log/log";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startNatsCluster } from "../../lib/backing/replicated-nats.ts";

/** NATS 2.15 takes some 20 seconds to add replicas. */
const GROWTH_MS = 60_000;
const ELECTION_MS = 30_000;

let folder: string;
let cluster: Awaited<ReturnType<typeof startNatsCluster>>;
let nats: NatsConnection;
// For each attempt: one that failed has lost a server.
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "turnpike-replicas-"));
  cluster = await startNatsCluster(folder);
  nats = await connectNats({ url: cluster.url, name: "replicas-test", log: createLogger("test", "silent") });
}, 60_000);
afterEach(async () => {
  vi.unstubAllEnvs();
  await nats?.close();
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
});

it("creates as many replicas of a stream as set, also when the setting grows, and survives the loss of the leader", async () => {
  const work = getWorkStream("replicas", { stream: "WORK", consumer: "worker", subjects: ["work.>"] });
  const manager = await jetstreamManager(nats);
  const countReplicas = async () => (await manager.streams.info(work.stream)).config.num_replicas;
  // A cluster that elects a leader does not respond meanwhile: services and publishers try again, too.
  const persist = (attempt: () => Promise<unknown>) =>
    expect.poll(() => attempt().then(() => "done"), { timeout: ELECTION_MS }).toBe("done");
  const publish = (word: string) =>
    persist(() => jetstream(nats).publish(work.subjects[0]?.replace(">", word) ?? "", "kept", { msgID: word }));
  await persist(() => ensureWorkStream(nats, work));
  await expect.poll(countReplicas, { timeout: ELECTION_MS }).toBe(1);
  await publish("one");
  vi.stubEnv("NATS_REPLICAS", "3");
  await persist(() => ensureWorkStream(nats, work));
  await expect.poll(countReplicas, { timeout: ELECTION_MS }).toBe(3);
  const hasCurrent = async (): Promise<boolean> => {
    const { cluster: state } = await manager.streams.info(work.stream);
    // Servers since NATS 2.15 report a change of replicas that is not finished.
    if (state !== undefined && "desired" in state) return false;
    return state?.replicas?.length === 2 && state.replicas.every(({ current, lag }) => current && !(lag > 0));
  };
  await expect.poll(hasCurrent, { timeout: GROWTH_MS }).toBe(true);
  // A replica that has just been added is current before it takes part: it does when it has stored a message.
  await publish("two");
  await expect.poll(hasCurrent, { timeout: GROWTH_MS }).toBe(true);
  await (await cluster.findLeader(work.stream)).kill();
  const read = async () => (await manager.streams.info(work.stream).catch(() => undefined))?.state.messages;
  await expect.poll(read, { timeout: 45_000 }).toBe(2);
}, 240_000);
