import type { NatsConnection } from "@turnpike/shared/events/bus";
import { beforeEach, expect, it, vi } from "vitest";
import { createStreamBarrier } from "./stream-barrier.ts";

type State = { messages: number; first_seq: number; last_seq: number };
const server = vi.hoisted(() => ({ states: [] as State[], floor: 0 }));

vi.mock("@turnpike/shared/events/work-stream", async (load) => ({
  ...(await load<object>()),
  getStreamManager: async () => ({
    // The last state stays.
    streams: { info: async () => ({ state: server.states.length > 1 ? server.states.shift() : server.states[0] }) },
    consumers: {
      info: async () => ({
        num_pending: 0,
        num_ack_pending: 0,
        ack_floor: { stream_seq: server.floor },
      }),
    },
  }),
}));

const work = { stream: "USAGE", consumer: "billing", subjects: [] };
const pass = () => createStreamBarrier({ nats: {} as NatsConnection, work, timeoutMs: 300 })();

beforeEach(() => Object.assign(server, { floor: 0 }));

it("waits for a message that the stream holds and its consumer does not count yet", async () => {
  server.states = [{ messages: 1, first_seq: 5, last_seq: 5 }];
  server.floor = 4;
  await expect(pass()).rejects.toThrow("not applied in time");
});

it("passes when every message was acknowledged, also of a consumer that was made anew", async () => {
  server.states = [{ messages: 0, first_seq: 6, last_seq: 5 }];
  await pass();
});

it("passes when the messages of the time of the call are acknowledged, though later ones are not", async () => {
  server.states = [
    { messages: 1, first_seq: 5, last_seq: 5 },
    { messages: 1, first_seq: 6, last_seq: 6 },
  ];
  await pass();
});

it("passes when the consumer has acknowledged them although the stream still shows one", async () => {
  server.states = [{ messages: 1, first_seq: 5, last_seq: 5 }];
  server.floor = 5;
  await pass();
});
