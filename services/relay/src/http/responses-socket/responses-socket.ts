import type { WebSocket } from "ws";
import { findRevocation, isRevoked } from "../../admission/caller-refusal.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { closeSocket, GOING_AWAY, NORMAL, POLICY } from "../sockets/close-socket.ts";
import { writeErrorFrame } from "./error-frame.ts";
import type { SocketClient, SocketDeps } from "./socket-client.ts";
import { TurnServer } from "./turn-server.ts";

/** Frames that may wait for the response in progress. */
const WAITING_MAX = 8;
const CHECK_MS = 10_000;
/** A revocation reaches the relay at once; the check is a lookup in its cache. */
const KEY_CHECK_MS = 2_000;
/** How long a client may send no pong. */
const LOST_MS = 60_000;

/**
 * One WebSocket at `/v1/responses`: each `response.create` is a call like one over HTTP, with its own hold, row and
 * charge, one after the other. The key is checked for each of them, while they run, and in between.
 */
export class ResponsesSocket {
  readonly #deps: SocketDeps;
  readonly #client: SocketClient;
  readonly #socket: WebSocket;
  readonly #turns: TurnServer;
  readonly #ended = Promise.withResolvers<void>();
  #waiting: string[] = [];
  #waitingCharacters = 0;
  #isBusy = false;
  #isDraining = false;
  #heardAtMs: number;
  #movedAtMs: number;
  #checks: readonly NodeJS.Timeout[] = [];

  constructor(deps: SocketDeps, client: SocketClient, socket: WebSocket) {
    this.#deps = deps;
    this.#client = client;
    this.#socket = socket;
    this.#heardAtMs = this.#movedAtMs = deps.now();
    this.#turns = new TurnServer(deps, client, socket);
  }

  /** Serves the connection; resolves when it is closed. */
  run(): Promise<void> {
    const heard = (): void => {
      this.#heardAtMs = this.#deps.now();
    };
    this.#socket.on("message", (data: Buffer, isBinary: boolean) => this.#receive(data, isBinary));
    this.#socket.on("pong", heard).on("message", heard);
    this.#socket.on("close", () => this.#end()).on("error", () => this.#socket.terminate());
    this.#checks = [
      setInterval(() => this.#checkLife(), CHECK_MS),
      setInterval(() => void this.#checkKey(), KEY_CHECK_MS),
    ];
    return this.#ended.promise;
  }

  /** Ends the connection after the response in progress, at once if there is none. */
  drain(): void {
    this.#isDraining = true;
    this.#waiting = [];
    if (!this.#isBusy) closeSocket(this.#socket, GOING_AWAY);
  }

  #receive(data: Buffer, isBinary: boolean): void {
    this.#movedAtMs = this.#deps.now();
    if (this.#isDraining) return;
    if (isBinary) return this.#refuse(new RelayError("invalid_request", "the frame must be text"));
    const text = data.toString("utf8");
    const isFull =
      this.#waiting.length >= WAITING_MAX || this.#waitingCharacters + text.length > this.#deps.bodyBytesMax;
    if (this.#isBusy && isFull)
      return this.#refuse(
        new RelayError("rate_limit_exceeded", `at most ${WAITING_MAX} responses may wait for the one in progress`),
      );
    this.#waiting.push(text);
    this.#waitingCharacters += text.length;
    void this.#serveWaiting();
  }

  async #serveWaiting(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    for (let text = this.#waiting.shift(); text !== undefined; text = this.#waiting.shift()) {
      this.#waitingCharacters -= text.length;
      const error = await this.#turns.serve(text);
      this.#movedAtMs = this.#deps.now();
      if (error && isRevoked(error)) closeSocket(this.#socket, POLICY, error.code);
      if (this.#socket.readyState !== this.#socket.OPEN) this.#waiting = [];
    }
    this.#isBusy = false;
    if (this.#isDraining) closeSocket(this.#socket, GOING_AWAY);
  }

  #refuse(error: RelayError): void {
    this.#socket.send(writeErrorFrame(error, this.#client.requestId));
  }

  /** Sockets get no close event when a network fails. */
  #checkLife(): void {
    const { now, idleMs } = this.#deps;
    if (now() - this.#heardAtMs > LOST_MS) return this.#socket.terminate();
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#socket.ping();
    if (!this.#isBusy && now() - this.#movedAtMs > idleMs) closeSocket(this.#socket, NORMAL, "idle for too long");
  }

  /**
   * Ends the connection of a key that is revoked while no response is requested, or in the middle of one, which is then charged as if
   * its client had disconnected.
   */
  async #checkKey(): Promise<void> {
    const { headers, path, address } = this.#client;
    const error = await findRevocation(() => this.#deps.admit(headers, path, address));
    if (!error || this.#socket.readyState !== this.#socket.OPEN) return;
    this.#refuse(error);
    closeSocket(this.#socket, POLICY, error.code);
  }

  #end(): void {
    for (const check of this.#checks) clearInterval(check);
    this.#waiting = [];
    this.#deps.memory.drop(this.#socket);
    this.#ended.resolve();
  }
}
