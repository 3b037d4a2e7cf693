import { isIP, type Socket, connect as connectTcp } from "node:net";
import { connect as connectTls, type ConnectionOptions } from "node:tls";
import { errors } from "undici";
import type { ClientExchange } from "./exchange.ts";
import { bodyBytes, writeHead } from "./request-head.ts";
import { ResponseParser } from "./response-parser.ts";

/** Where connections of a pool lead, and how they are made. */
export type Origin = {
  readonly isSecure: boolean;
  readonly hostname: string;
  readonly port: number;
  /** The Host header. */
  readonly host: string;
  readonly tls: ConnectionOptions;
  readonly connectMs: number;
  /** The TLS session of the newest connection, which makes the next handshake shorter. */
  session?: Buffer;
};

export type ConnectionEvents = {
  /** Established, or free again after a complete response. */
  readonly onFree: (connection: Connection) => void;
  readonly onClose: (connection: Connection) => void;
};

/**
 * All sockets read into this buffer: a read is parsed before the next one begins. A buffer for each read, as streams
 * use it, costs more than the parsing.
 */
const READ_BUFFER = Buffer.allocUnsafeSlow(64 * 1024);
/** Up to this size a body is written together with the head. */
const JOINED_BYTES_MAX = 64 * 1024;
const NON_ASCII = /[\x80-\xff]/;

/** Upstream's hint of how long it keeps an idle connection (`Keep-Alive: timeout=5`), in milliseconds. */
function parseKeepAliveHintMs(value: string | string[] | undefined): number | undefined {
  const seconds = /timeout=(\d{1,6})/i.exec(String(value ?? ""))?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
}

/**
 * Connections whose request waits for the end of this event-loop tick. Requests that are written one after the
 * other wake a receiver on the same machine once, which costs about half of waking it for each.
 */
const unsent: Connection[] = [];

function writeUnsent(): void {
  for (const connection of unsent.splice(0)) connection.writeRequest();
}

/** One connection to upstream, used by one exchange at a time. */
export class Connection {
  /** Upstream's own limit for idle connections, if it sends one. */
  keepAliveHintMs: number | undefined;
  /** Since when the connection is idle. */
  idleSinceMs = 0;
  readonly #origin: Origin;
  readonly #events: ConnectionEvents;
  readonly #socket: Socket;
  readonly #connectTimer: NodeJS.Timeout;
  #exchange: ClientExchange | undefined;
  #parser: ResponseParser | undefined;
  #readAtMs = 0;
  #error: Error | undefined;

  constructor(origin: Origin, events: ConnectionEvents, first: ClientExchange) {
    this.#origin = origin;
    this.#events = events;
    this.#exchange = first;
    this.#socket = this.#open();
    this.#connectTimer = setTimeout(() => this.#socket.destroy(new errors.ConnectTimeoutError()), origin.connectMs);
    this.#socket.setNoDelay(true);
    this.#socket.once(origin.isSecure ? "secureConnect" : "connect", () => this.#onConnect());
    this.#socket.on("end", () => this.#onEnd());
    this.#socket.on("error", (error) => (this.#error = error));
    this.#socket.once("close", () => this.#onClose());
  }

  #open(): Socket {
    const { hostname, port, isSecure, tls, session } = this.#origin;
    const onread = { buffer: READ_BUFFER, callback: (size: number) => this.#onRead(size) };
    if (!isSecure) return connectTcp({ host: hostname, port, onread });
    const socket = connectTls({
      ...tls,
      host: hostname,
      port,
      ALPNProtocols: ["http/1.1"],
      ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
      ...(session ? { session } : {}),
      // Missing from the types of tls.connect, which passes it to the socket.
      ...({ onread } as object),
    });
    socket.on("session", (newest) => (this.#origin.session = newest));
    return socket;
  }

  #onConnect(): void {
    clearTimeout(this.#connectTimer);
    if (this.#exchange) this.writeRequest();
    else this.#events.onFree(this);
  }

  /** Writes a request to a free connection, with those of other connections at the end of this event-loop tick. */
  send(exchange: ClientExchange): void {
    this.#exchange = exchange;
    if (unsent.push(this) === 1) setImmediate(writeUnsent);
  }

  /** Writes the request that waits; fails its exchange if it cannot be written. */
  writeRequest(): void {
    const exchange = this.#exchange;
    // The connection may have been closed meanwhile, which failed the exchange.
    if (!exchange) return;
    if (exchange.hasEnded()) return this.#free();
    const { request } = exchange;
    const length = bodyBytes(request.body);
    let head: string;
    try {
      head = writeHead(this.#origin.host, request, length);
    } catch (error) {
      this.#free();
      return exchange.fail(error as Error);
    }
    this.#parser = new ResponseParser({
      onHead: (response) => {
        this.keepAliveHintMs = parseKeepAliveHintMs(response.headers["keep-alive"]);
        exchange.onHead(response, this.#readAtMs);
      },
      onBody: (bytes) => exchange.onBody(bytes, this.#readAtMs),
    });
    this.#write(head, request.body, length);
    exchange.onSent(this);
  }

  #free(): void {
    this.#exchange = undefined;
    this.#events.onFree(this);
  }

  #write(head: string, body: string | Buffer | readonly Buffer[] | null, length: number): void {
    const socket = this.#socket;
    if (body === null || length === 0) return void socket.write(head, "latin1");
    if (typeof body === "string" && length <= JOINED_BYTES_MAX) {
      // A string of as many bytes as characters is ASCII: latin1 writes it as it is, which UTF-8 would have to find out.
      if (length === body.length) return void socket.write(head + body, "latin1");
      if (!NON_ASCII.test(head)) return void socket.write(head + body);
    }
    socket.cork();
    socket.write(head, "latin1");
    for (const part of typeof body === "string" || Buffer.isBuffer(body) ? [body] : body) socket.write(part);
    socket.uncork();
  }

  /** False once either side has closed the connection. */
  isOpen(): boolean {
    return !this.#socket.destroyed && this.#socket.readable;
  }

  /** True once the kernel has taken all that was written. */
  isFlushed(): boolean {
    return this.#socket.writableLength === 0;
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  checkSilence(nowMs: number): void {
    this.#exchange?.checkSilence(nowMs);
  }

  /** Returns whether to go on reading, which `pause` decides. */
  #onRead(size: number): boolean {
    const parser = this.#parser;
    if (!this.#exchange || !parser) {
      // Nothing was requested: the connection is out of step.
      this.#socket.destroy();
      return true;
    }
    this.#readAtMs = performance.now();
    try {
      parser.push(READ_BUFFER.subarray(0, size));
    } catch (error) {
      this.#socket.destroy();
      this.#exchange.fail(error as Error);
      return true;
    }
    if (parser.isComplete()) this.#complete(parser);
    return true;
  }

  #complete(parser: ResponseParser): void {
    const exchange = this.#exchange;
    if (!exchange) return;
    this.#exchange = undefined;
    this.#parser = undefined;
    // A response that arrived before the whole request was written: the remaining request would precede the next one.
    const isFree = parser.keepsAlive() && !exchange.hasEnded() && this.#socket.writableLength === 0;
    if (isFree) {
      if (exchange.paused) this.#socket.resume();
      this.#events.onFree(this);
    } else this.#socket.destroy();
    exchange.complete();
  }

  #onEnd(): void {
    const parser = this.#parser;
    if (!this.#exchange || !parser) return void this.#socket.destroy();
    try {
      parser.finish();
      this.#complete(parser);
    } catch {
      this.#exchange.fail(new errors.SocketError("other side closed"));
    }
  }

  #onClose(): void {
    clearTimeout(this.#connectTimer);
    this.#events.onClose(this);
    this.#exchange?.fail(this.#error ?? new errors.SocketError("other side closed"));
    this.#exchange = undefined;
  }
}
