import type { ConnectionOptions } from "node:tls";
import { type Dispatcher, errors } from "undici";
import { ConnectionPool } from "./connection-pool.ts";
import { ClientExchange } from "./exchange.ts";
import type { WireRequest } from "./request-head.ts";

export type Http1Options = {
  readonly connectMs: number;
  readonly keepAliveMs: number;
  readonly connectionsPerOrigin: number;
  /** For tests: an authority of their own. */
  readonly tls?: ConnectionOptions;
};

/** undici's options for one request, restricted to those in use. */
export type DispatchOptions = WireRequest & {
  readonly origin: string;
  readonly headersTimeout: number;
  readonly bodyTimeout: number;
};

/** One timer checks all time limits this often: a timer for each call would be restarted with each event. */
const SWEEP_MS = 100;

/**
 * HTTP/1.1 client for direct connections to providers, with one pool per origin. It takes undici's options and handler
 * and costs a third of undici's time per event of a stream: reads share one buffer, and bytes are copied once.
 */
export class Http1Client {
  readonly #options: Http1Options;
  readonly #pools = new Map<string, ConnectionPool>();
  #sweeper: NodeJS.Timeout | undefined;

  constructor(options: Http1Options) {
    this.#options = options;
  }

  /** Throws a TypeError if the origin is not that of an http or https URL. */
  dispatch(options: DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    const pool = this.#getPool(options.origin);
    const { headersTimeout, bodyTimeout, method, path, headers, body } = options;
    const limits = { headersTimeoutMs: headersTimeout, bodyTimeoutMs: bodyTimeout };
    pool.dispatch(new ClientExchange({ method, path, headers, body, ...limits }, handler));
    this.#sweeper ??= setInterval(() => this.#sweep(), SWEEP_MS).unref();
  }

  #getPool(origin: string): ConnectionPool {
    const known = this.#pools.get(origin);
    if (known) return known;
    const { protocol, hostname, port, host } = new URL(origin);
    if (protocol !== "http:" && protocol !== "https:") throw new errors.InvalidArgumentError("invalid protocol");
    const isSecure = protocol === "https:";
    const { connectMs, connectionsPerOrigin, keepAliveMs, tls = {} } = this.#options;
    const pool = new ConnectionPool(
      {
        isSecure,
        // IPv6 addresses have brackets in URLs only.
        hostname: hostname.replace(/^\[|\]$/g, ""),
        port: Number(port) || (isSecure ? 443 : 80),
        host,
        tls,
        connectMs,
      },
      { connections: connectionsPerOrigin, keepAliveMs },
    );
    this.#pools.set(origin, pool);
    return pool;
  }

  #sweep(): void {
    const nowMs = performance.now();
    for (const [origin, pool] of this.#pools) {
      pool.sweep(nowMs);
      if (pool.isEmpty()) this.#pools.delete(origin);
    }
    if (this.#pools.size > 0) return;
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }

  /** Closes all connections; calls in progress fail. */
  close(): void {
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
    for (const pool of this.#pools.values()) pool.destroy();
    this.#pools.clear();
  }
}
