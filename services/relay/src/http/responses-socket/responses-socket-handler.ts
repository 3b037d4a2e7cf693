import type { IncomingMessage } from "node:http";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { RelayError } from "../../core/errors/relay-error.ts";
import { readSessionId } from "../../pipeline/prepare/read/session-id.ts";
import { getPath } from "../server/request-url.ts";
import { createHandshake, type UpgradeRequest } from "../sockets/client-handshake.ts";
import { ConversationMemory } from "./conversation-memory.ts";
import { ResponsesSocket } from "./responses-socket.ts";
import type { SocketDeps } from "./socket-client.ts";

type Deps = Omit<SocketDeps, "memory"> & {
  readonly options: () => OptionsInForce;
  readonly clientAddress: (request: IncomingMessage) => string;
  readonly checkOrigin: (headers: IncomingMessage["headers"]) => void;
};

const RETRY_AFTER_SECONDS = 1;
/** What the connections of a relay may keep of their latest conversations. */
const MEMORY_CHARACTERS_MAX = 256 * 1024 * 1024;

/** Serves the Responses API over WebSockets at `/v1/responses`. */
export class ResponsesSocketHandler {
  readonly #deps: Deps & SocketDeps;
  readonly #beginHandshake: ReturnType<typeof createHandshake>;
  readonly #open = new Set<ResponsesSocket>();
  #isStopping = false;

  constructor(deps: Deps) {
    this.#deps = { ...deps, memory: new ConversationMemory(MEMORY_CHARACTERS_MAX) };
    this.#beginHandshake = createHandshake({ frameBytesMax: deps.bodyBytesMax });
  }

  /** Serves an upgrade until the connection is closed. Throws RelayError before the handshake is completed. */
  async upgrade(upgrade: UpgradeRequest, requestId: string): Promise<void> {
    const { request } = upgrade;
    this.#checkService();
    const [path, address] = [getPath(request), this.#deps.clientAddress(request)];
    const complete = await this.#beginHandshake(upgrade, requestId);
    if (request.headers.origin !== undefined) this.#deps.checkOrigin(request.headers);
    await this.#deps.admit(request.headers, path, address);
    // Every response of the connection has this session.
    readSessionId(request.headers);
    const socket = await complete();
    if (!socket) return;
    const { headers } = request;
    const connection = new ResponsesSocket(this.#deps, { requestId, headers, path, address }, socket);
    this.#open.add(connection);
    const ended = connection.run();
    if (this.#isStopping) connection.drain();
    await ended;
    this.#open.delete(connection);
  }

  /** Accepts no more connections, and ends the open ones after their response in progress. */
  drain(): void {
    this.#isStopping = true;
    for (const connection of this.#open) connection.drain();
  }

  #checkService(): void {
    if (!this.#deps.options().flag("ResponsesWebSocketEnabled"))
      throw new RelayError("invalid_request", "WebSockets are turned off here; send the call over HTTP", {
        status: 426,
      });
    if (this.#isStopping)
      throw new RelayError("service_unavailable", "this relay is stopping", { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
}
