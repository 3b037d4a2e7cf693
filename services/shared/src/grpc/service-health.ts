import { type Client, connectivityState, Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { ResponseTimes } from "./response-times.ts";

/** Silence is counted in ticks, so that a stall of this process itself counts as one tick. */
const TICK_MS = 100;
/** A service in use is probed this often … */
const PROBE_EVERY_TICKS = 10;
/** … and, once a call has waited this long, at this distance. */
const SUSPECT_AFTER_TICKS = 2;
/** The connection of a service that is down is replaced after this time, then after twice as long each time. */
const RECONNECT_AFTER_TICKS = { first: 20, max: 160 } as const;
/** Probing ends when the service has not been called for this long. */
const IDLE_AFTER_TICKS = 600;
/** A probe that was lost with its connection is followed by another one. */
const PROBE_TIMEOUT_MS = 1_500;

/** The standard health protocol; an empty request means the whole server. */
const HEALTH_CHECK = "/grpc.health.v1.Health/Check";
const EMPTY = Buffer.alloc(0);

/** Ends a waiting call; `isUnsent`: it did not reach the service, and may be sent again. */
type Cancel = (isUnsent: boolean) => void;

const isConnected = (client: Client | undefined): boolean =>
  client?.getChannel().getConnectivityState(false) === connectivityState.READY;

const same = (bytes: Buffer): Buffer => bytes;

/**
 * The connection to one service, shared by the clients of its address, and its circuit breaker. A process that hangs accepts calls and never
 * responds, so every caller would wait for the whole deadline. A service in use is probed in the background, and at once
 * when a call waits; when a probe has had no response for longer than the service's earlier response times justify, waiting
 * calls may be given up, and further ones fail at once until a probe succeeds. Slow calls to a service that responds to
 * probes continue, and calls on a refused connection fail by themselves. The service may be healthy while its
 * connection leads to a machine that no longer exists, or waits for one: while it is down, the connection is replaced again and again. Calls that
 * waited for a connection were never sent: they get a second one before they fail.
 */
export class ServiceHealth {
  readonly #waiting = new Map<Cancel, number>();
  readonly #responseTimes = new ResponseTimes();
  #connect: (() => Client) | undefined;
  #client: Client | undefined;
  /** The connection before: a late response on it shows that the service is only slow. */
  #former: Client | undefined;
  #clients = 0;
  #timer: NodeJS.Timeout | undefined;
  #tick = 0;
  #tickedAt = 0;
  #calledAtTick = 0;
  #probedAtTick = -PROBE_EVERY_TICKS;
  /** For how many ticks the service has not responded to a probe. */
  #silentTicks = 0;
  #isDown = false;
  #reconnectAtTick = 0;
  /** How often the connection was replaced since a probe last had a response. */
  #replacements = 0;
  #isProbing = false;
  #isClosed = false;

  /** Adds a client of the service, which closes it again; the first one connects. */
  attach(connect: () => Client): void {
    this.#clients++;
    this.#connect ??= connect;
    this.#client ??= connect();
  }

  /** The connection now; a call that begins later must request it again. */
  getConnection(): Client {
    if (!this.#client) throw new Error("no client is attached");
    return this.#client;
  }

  isDown(): boolean {
    return this.#isDown;
  }

  /** Watches a call: `cancel` runs if the service is found to be down. Returns the function that ends the watch. */
  watch(cancel: Cancel): () => void {
    this.#waiting.set(cancel, this.#tick);
    this.#calledAtTick = this.#tick;
    if (!this.#isClosed && !this.#timer) this.#startTicking();
    return () => void this.#waiting.delete(cancel);
  }

  /** Called by each client once; the last one closes the connection. */
  close(): void {
    if (--this.#clients > 0) return;
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const client of [this.#client, this.#former]) client?.close();
  }

  #startTicking(): void {
    this.#tickedAt = performance.now();
    this.#timer = setInterval(() => this.#onTick(), TICK_MS).unref();
  }

  #onTick(): void {
    const now = performance.now();
    this.#responseTimes.addDelay(now - this.#tickedAt - TICK_MS);
    this.#tickedAt = now;
    this.#tick++;
    if (this.#isProbing) this.#silentTicks++;
    else if (this.#isProbeDue()) this.#probe();
    if (this.#isDown) this.#waitForService();
    else if (this.#silentTicks * TICK_MS >= this.#responseTimes.getSilenceMaxMs()) this.#onSilence();
    else if (this.#isIdle()) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }

  #isProbeDue(): boolean {
    // Calls are in the order of their start.
    const [oldest = this.#tick] = this.#waiting.values();
    const isSuspect = this.#silentTicks > 0 || this.#tick - oldest >= SUSPECT_AFTER_TICKS;
    return this.#tick - this.#probedAtTick >= (isSuspect ? SUSPECT_AFTER_TICKS : PROBE_EVERY_TICKS);
  }

  #isIdle(): boolean {
    const isQuiet = this.#waiting.size === 0 && this.#silentTicks === 0 && !this.#isProbing;
    return isQuiet && this.#tick - this.#calledAtTick > IDLE_AFTER_TICKS;
  }

  #onSilence(): void {
    const isUnsent = this.#replacements === 0 && !isConnected(this.#client);
    if (isUnsent) this.#silentTicks = 0;
    else this.#isDown = true;
    const cancels = [...this.#waiting.keys()];
    this.#reconnect();
    for (const cancel of cancels) cancel(isUnsent);
  }

  #waitForService(): void {
    for (const cancel of this.#waiting.keys()) cancel(false);
    if (this.#tick >= this.#reconnectAtTick) this.#reconnect();
  }

  #reconnect(): void {
    const { first, max } = RECONNECT_AFTER_TICKS;
    this.#reconnectAtTick = this.#tick + Math.min(first * 2 ** this.#replacements++, max);
    this.#isProbing = false;
    this.#probedAtTick = -PROBE_EVERY_TICKS;
    this.#closeFormer();
    this.#former = this.#client;
    this.#client = this.#connect?.();
  }

  #closeFormer(): void {
    this.#former?.close();
    this.#former = undefined;
  }

  #probe(): void {
    const client = this.#client;
    if (!client) return;
    this.#isProbing = true;
    this.#probedAtTick = this.#tick;
    const startedAt = performance.now();
    const done = (error: ServiceError | null): void => {
      if (client === this.#client) this.#isProbing = false;
      else if (client !== this.#former || error?.code === status.UNAVAILABLE) return;
      if (error?.code === status.DEADLINE_EXCEEDED) return;
      // The response to the last of several probes ends the silence since the first.
      const silentMs = Math.max(performance.now() - startedAt, this.#silentTicks * TICK_MS);
      if (error?.code !== status.UNAVAILABLE) this.#responseTimes.add(silentMs);
      if (client === this.#client) this.#closeFormer();
      this.#onResponse();
    };
    const deadline = Date.now() + PROBE_TIMEOUT_MS;
    client.makeUnaryRequest(HEALTH_CHECK, same, same, EMPTY, new Metadata(), { deadline }, done);
  }

  #onResponse(): void {
    this.#silentTicks = 0;
    this.#isDown = false;
    this.#replacements = 0;
  }
}
