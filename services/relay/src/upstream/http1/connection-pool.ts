import { errors } from "undici";
import { Connection, type ConnectionEvents, type Origin } from "./connection.ts";
import type { ClientExchange } from "./exchange.ts";

/** Upstream's own limit is undercut by this time, so that a request does not meet a connection that is being closed. */
const HINT_MARGIN_MS = 1_000;

type Waiting = { readonly exchange: ClientExchange; readonly sinceMs: number };

/**
 * The connections to one origin: idle ones are reused, the newest first; calls beyond the limit wait in order, as long as
 * they would for a new connection.
 */
export class ConnectionPool implements ConnectionEvents {
  readonly #origin: Origin;
  readonly #limits: { readonly connections: number; readonly keepAliveMs: number };
  readonly #all = new Set<Connection>();
  readonly #idle: Connection[] = [];
  readonly #waiting: Waiting[] = [];

  constructor(origin: Origin, limits: { readonly connections: number; readonly keepAliveMs: number }) {
    this.#origin = origin;
    this.#limits = limits;
  }

  isEmpty(): boolean {
    return this.#all.size === 0 && this.#waiting.length === 0;
  }

  dispatch(exchange: ClientExchange): void {
    let idle = this.#idle.pop();
    while (idle && !idle.isOpen()) idle = this.#idle.pop();
    if (idle) idle.send(exchange);
    else if (this.#all.size < this.#limits.connections) this.#all.add(new Connection(this.#origin, this, exchange));
    else this.#waiting.push({ exchange, sinceMs: performance.now() });
  }

  onFree(connection: Connection): void {
    const next = this.#takeWaiting();
    if (next) return connection.send(next);
    connection.idleSinceMs = performance.now();
    this.#idle.push(connection);
  }

  onClose(connection: Connection): void {
    this.#all.delete(connection);
    const place = this.#idle.indexOf(connection);
    if (place >= 0) this.#idle.splice(place, 1);
    const next = this.#takeWaiting();
    if (next) this.dispatch(next);
  }

  /** The call that waits the longest, and was not given up meanwhile. */
  #takeWaiting(): ClientExchange | undefined {
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift())
      if (!next.exchange.hasEnded()) return next.exchange;
    return undefined;
  }

  #failOverdue(nowMs: number): void {
    while (this.#waiting[0] && nowMs - this.#waiting[0].sinceMs >= this.#origin.connectMs)
      this.#waiting.shift()?.exchange.fail(new errors.ConnectTimeoutError("no connection became free in time"));
  }

  /** Fails exchanges that waited for a connection, or whose upstream is silent, for too long, and closes connections that were idle for too long. */
  sweep(nowMs: number): void {
    this.#failOverdue(nowMs);
    for (const connection of this.#all) connection.checkSilence(nowMs);
    for (const connection of this.#idle) {
      const hintMs = Math.max(0, (connection.keepAliveHintMs ?? Infinity) - HINT_MARGIN_MS);
      if (nowMs - connection.idleSinceMs >= Math.min(this.#limits.keepAliveMs, hintMs)) connection.destroy();
    }
  }

  destroy(): void {
    for (const { exchange } of this.#waiting.splice(0)) exchange.fail(new Error("the client is closed"));
    for (const connection of this.#all) connection.destroy();
  }
}
