import { statusClass } from "@turnpike/shared/telemetry/http-metrics";
import { newRequestId } from "@turnpike/shared/telemetry/request-id";
import type { WebSocket } from "ws";
import type { Admitted } from "../../core/call/caller.ts";
import { getResponseContext, type RelayCall } from "../../core/call/relay-call.ts";
import type { Json } from "../../core/chat/chat.ts";
import { asObject } from "../../core/chat/json.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { callEnded, watchCall } from "../../core/telemetry/call-metrics.ts";
import { inFlight } from "../../core/telemetry/relay-metrics.ts";
import { openAiResponses } from "../../dialects/openai-responses/openai-responses.ts";
import { writeHeldInput } from "../../dialects/openai-responses/responses-wire.ts";
import { readRelayCall } from "../../pipeline/prepare/read/call-reader.ts";
import { toNestingError } from "../server/request-body.ts";
import { writeErrorFrame } from "./error-frame.ts";
import { createFrameExchanges } from "./frame-exchange.ts";
import type { SocketClient, SocketDeps } from "./socket-client.ts";
import { type Conversation, continueWith, parseFrame, readTurn, type Turn } from "./socket-turn.ts";

/** Headers of the handshake that belong to it and not to each response. */
const HANDSHAKE_ONLY = ["idempotency-key", "openai-beta"] as const;

type CallFacts = Pick<Parameters<typeof readRelayCall>[0], "requestId" | "startedAtMs" | "address" | "watch"> & {
  readonly headers: SocketClient["headers"];
};

const toRelayError = (thrown: unknown): RelayError => {
  const error = toNestingError(thrown);
  return error instanceof RelayError
    ? error
    : new RelayError("internal_error", "an internal error occurred", { cause: error });
};

const toPreviousId = ({ previous_response_id: id }: Json): string | undefined =>
  typeof id === "string" ? id : undefined;

/** What is known of a turn while it is served. */
type Progress = { admitted?: Admitted; call?: RelayCall; previousId?: string | undefined };

/** Serves the turns of one connection. */
export class TurnServer {
  readonly #deps: SocketDeps;
  readonly #client: SocketClient;
  readonly #socket: WebSocket;
  readonly #headers: SocketClient["headers"];
  readonly #openExchange: ReturnType<typeof createFrameExchanges>;

  constructor(deps: SocketDeps, client: SocketClient, socket: WebSocket) {
    this.#deps = deps;
    this.#client = client;
    this.#socket = socket;
    this.#openExchange = createFrameExchanges(socket);
    this.#headers = { ...client.headers };
    for (const name of HANDSHAKE_ONLY) delete this.#headers[name];
  }

  /** Serves one frame; returns the error that the client was sent. Never rejects. */
  async serve(text: string): Promise<RelayError | undefined> {
    const [requestId, startedAtMs, watch] = [newRequestId(), this.#deps.now(), watchCall()];
    const progress: Progress = {};
    inFlight.calls++;
    inFlight.begun++;
    try {
      const common = { requestId, startedAtMs, address: this.#client.address, headers: this.#headers, watch };
      const isServed = await this.#serveTurn(text, common, progress);
      if (!isServed) this.#evict(progress.previousId);
      callEnded(openAiResponses.name, progress.call, watch, "2xx");
      return undefined;
    } catch (thrown) {
      const error = toRelayError(thrown);
      if (error.code === "internal_error") this.#deps.log.error({ err: thrown, requestId }, "call failed unexpectedly");
      this.#evict(progress.previousId);
      callEnded(openAiResponses.name, progress.call, watch, statusClass(error.status));
      const { admitted, call } = progress;
      this.#deps.failures.refused({ requestId, startedAtMs, address: this.#client.address, admitted, call }, error);
      if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(writeErrorFrame(error, requestId));
      return error;
    } finally {
      inFlight.calls--;
    }
  }

  /** Admits the client, and sends the response; false if it failed. */
  async #serveTurn(text: string, common: CallFacts, progress: Progress): Promise<boolean> {
    const admitted = await this.#deps.admit(common.headers, this.#client.path, common.address);
    progress.admitted = admitted;
    const event = parseFrame(text);
    progress.previousId = toPreviousId(event);
    const turn = readTurn(text, event, this.#deps.memory.find(this.#socket));
    const { bodyText } = turn;
    if (bodyText.length > this.#deps.bodyBytesMax)
      throw new RelayError("body_too_large", "the whole conversation is too large for one request");
    const call = readRelayCall({ ...common, admitted, dialect: openAiResponses, bodyText });
    progress.call = call;
    return turn.generates ? this.#generate(turn, call) : this.#hold(turn, call);
  }

  #hold(turn: Turn, call: RelayCall): true {
    const { events, response } = writeHeldInput(getResponseContext(call));
    for (const event of events) this.#socket.send(JSON.stringify(event));
    this.#keep(continueWith({ ...turn, isStored: false }, response, 0));
    return true;
  }

  async #generate(turn: Turn, call: RelayCall): Promise<boolean> {
    const { exchange, frames } = this.#openExchange(call.requestId);
    try {
      await this.#deps.handleCall(call, exchange);
    } catch (error) {
      if (frames.last) return false;
      throw error;
    }
    const { last } = frames;
    if (!last && !exchange.isDisconnected())
      throw new RelayError("stream_interrupted", "the response was cut off before its end");
    const response = asObject(last?.event["response"]);
    if (!response || (last?.type !== "response.completed" && last?.type !== "response.incomplete")) return false;
    this.#keep(continueWith(turn, response, last.characters));
    return true;
  }

  #keep(conversation: Conversation | undefined): void {
    if (conversation) this.#deps.memory.keep(this.#socket, conversation);
    else this.#deps.memory.drop(this.#socket);
  }

  /** A response whose continuation failed cannot be continued again, as at OpenAI. */
  #evict(previousId: string | undefined): void {
    const { memory } = this.#deps;
    if (previousId !== undefined && memory.find(this.#socket)?.id === previousId) memory.drop(this.#socket);
  }
}
