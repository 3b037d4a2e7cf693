import { type Client, connectivityState, type ServiceError, status } from "@grpc/grpc-js";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ServiceHealth } from "./service-health.ts";

type Done = (error: ServiceError | null) => void;

/** How the service treats probes: it responds after some time, never, or refuses connections. */
let behaviour: { readonly afterMs: number } | "silent" | "refuses";
let probes: number;
/** The state of the connection, and how many were begun. */
let state: connectivityState;
let connections: number;
let waiting: Done[];
let health: ServiceHealth;

const fail = (code: status): ServiceError => ({ code }) as ServiceError;

function probe(
  ...[, , , , , { deadline }, done]: [unknown, unknown, unknown, unknown, unknown, { deadline: number }, Done]
) {
  probes++;
  if (behaviour === "refuses") return done(fail(status.UNAVAILABLE));
  let isOpen = true;
  const end = (error: ServiceError | null): void => {
    if (isOpen) done(error);
    isOpen = false;
  };
  setTimeout(() => end(fail(status.DEADLINE_EXCEEDED)), deadline - Date.now());
  if (behaviour === "silent") waiting.push(end);
  else setTimeout(() => end(null), behaviour.afterMs);
}

beforeEach(() => {
  vi.useFakeTimers();
  behaviour = { afterMs: 2 };
  probes = 0;
  waiting = [];
  health = new ServiceHealth();
  state = connectivityState.READY;
  connections = 0;
  health.attach(() => {
    connections++;
    const getChannel = () => ({ getConnectivityState: () => state });
    return { makeUnaryRequest: probe, close: () => undefined, getChannel } as unknown as Client;
  });
});
afterEach(() => {
  health.close();
  vi.useRealTimers();
});

/** A call that never gets a response; returns how it ends. */
function call(): { failedAfterMs?: number; isUnsent?: boolean; end: () => void } {
  const startedAt = Date.now();
  const outcome: ReturnType<typeof call> = { end: () => undefined };
  outcome.end = health.watch((isUnsent) => {
    outcome.failedAfterMs ??= Date.now() - startedAt;
    outcome.isUnsent ??= isUnsent;
  });
  return outcome;
}

/** Calls that get a response at once, for so long that the service is known. */
async function use(ms = 10_000): Promise<void> {
  for (let passed = 0; passed < ms; passed += 500) {
    call().end();
    await vi.advanceTimersByTimeAsync(500);
  }
}

it.each([0, 50, 430, 810, 990])(
  "fails the first call within a second of a service that was fast until it hung, %d ms after the last probe",
  async (ms) => {
    await use();
    await vi.advanceTimersByTimeAsync(ms);
    behaviour = "silent";
    const first = call();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(first.failedAfterMs).toBeLessThan(1_000);
    expect(health.isDown()).toBe(true);
  },
);

it("finds out in the background that a service hangs, and that it responds again", async () => {
  await use();
  behaviour = "silent";
  await vi.advanceTimersByTimeAsync(2_000);
  expect(health.isDown()).toBe(true);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(health.isDown()).toBe(true);
  behaviour = { afterMs: 2 };
  for (const respond of waiting) respond(null);
  expect(health.isDown()).toBe(false);
  // An outage does not make it a slow service.
  await use(1_000);
  waiting = [];
  behaviour = "silent";
  const next = call();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(next.failedAfterMs).toBeLessThan(1_000);
});

it("replaces the connection of a service that does not respond again and again", async () => {
  await use();
  behaviour = "silent";
  const first = call();
  await vi.advanceTimersByTimeAsync(1_000);
  expect([connections, first.isUnsent]).toEqual([2, false]);
  await vi.advanceTimersByTimeAsync(6_000);
  expect(connections).toBe(4);
  behaviour = { afterMs: 2 };
  await vi.advanceTimersByTimeAsync(8_000);
  expect(health.isDown()).toBe(false);
});

it("stays down while the replaced connection is not made, and while the machine gets busy", async () => {
  await use();
  behaviour = "silent";
  await vi.advanceTimersByTimeAsync(1_000);
  state = connectivityState.CONNECTING;
  for (let second = 0; second < 10; second++) {
    expect(health.isDown()).toBe(true);
    // A timer that is late.
    vi.setSystemTime(Date.now() + 200);
    await vi.advanceTimersByTimeAsync(1_000);
  }
});

it("replaces a connection that is not made in time before calls fail, once", async () => {
  await use();
  behaviour = "silent";
  state = connectivityState.CONNECTING;
  const first = call();
  await vi.advanceTimersByTimeAsync(1_000);
  expect([connections, first.isUnsent, health.isDown()]).toEqual([2, true, false]);
  const second = call();
  await vi.advanceTimersByTimeAsync(1_000);
  expect([second.isUnsent, health.isDown()]).toEqual([false, true]);
});

it("gives a service time that is not known yet, or that has been slow", async () => {
  behaviour = "silent";
  const unknown = call();
  await vi.advanceTimersByTimeAsync(1_400);
  expect(unknown.failedAfterMs).toBeUndefined();
  for (const respond of waiting) respond(null);
  behaviour = { afterMs: 300 };
  await use();
  behaviour = "silent";
  const slow = call();
  await vi.advanceTimersByTimeAsync(1_200);
  expect(slow.failedAfterMs).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(slow.failedAfterMs).toBeDefined();
});

it("counts a stall of this process as no silence of the service", async () => {
  await use();
  behaviour = "silent";
  const first = call();
  await vi.advanceTimersByTimeAsync(400);
  // Timers that are late fire once.
  vi.setSystemTime(Date.now() + 5_000);
  await vi.advanceTimersByTimeAsync(100);
  expect(first.failedAfterMs).toBeUndefined();
});

it("leaves refused connections to the calls, and probes a service that is not used no longer", async () => {
  await use();
  behaviour = "refuses";
  await vi.advanceTimersByTimeAsync(5_000);
  expect(health.isDown()).toBe(false);
  await vi.advanceTimersByTimeAsync(70_000);
  const before = probes;
  await vi.advanceTimersByTimeAsync(70_000);
  expect(probes).toBe(before);
  expect(before).toBeGreaterThan(10);
});
