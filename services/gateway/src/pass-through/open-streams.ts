import { ActiveList } from "@turnpike/shared/concurrency/active-list";
import type { IncomingMessage, ServerResponse } from "node:http";
import { MODEL_API_PATHS, MODEL_API_PATTERNS } from "@turnpike/contract/api/model-api-paths";
import { GATEWAY_STOPPING } from "./relay-error.ts";

const { code: CODE, message: MESSAGE } = GATEWAY_STOPPING;

type OpenStream = {
  readonly source: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  readonly requestId: string;
  /** The newest bytes passed on. */
  last: Buffer | undefined;
};

/** An error event in the format of the stream's API. */
function toErrorEvent(path: string, requestId: string): string {
  const message = `${MESSAGE} (request id: ${requestId})`;
  if (path.endsWith(MODEL_API_PATHS.messages)) {
    const error = { type: "api_error", message };
    return `event: error\ndata: ${JSON.stringify({ type: "error", error, request_id: requestId })}\n\n`;
  }
  if (MODEL_API_PATTERNS.geminiMethod.pattern.test(path))
    return `data: ${JSON.stringify({ error: { code: 503, message, status: "UNAVAILABLE" } })}\n\n`;
  const error = { message, type: "turnpike_error", param: null, code: CODE };
  if (!path.endsWith(MODEL_API_PATHS.responses)) return `data: ${JSON.stringify({ error })}\n\n`;
  // As the relay sends it: flat as documented, and nested as OpenAI's clients read it.
  return `event: error\ndata: ${JSON.stringify({ type: "error", code: CODE, message, param: null, error })}\n\n`;
}

/** Between two events, where another event can be added. */
function isBetweenEvents(last: Buffer | undefined): boolean {
  if (last === undefined) return true;
  const end = last.toString("latin1", Math.max(0, last.length - 4));
  return end.endsWith("\n\n") || end.endsWith("\r\n\r\n");
}

/**
 * Event streams that are being passed through. A gateway that stops ends those that outlive its grace period with an
 * error event, which clients can distinguish from a lost connection.
 */
export class OpenStreams {
  readonly #open = new ActiveList<OpenStream>();
  #isEnding = false;

  add(source: IncomingMessage, response: ServerResponse, facts: { path: string; requestId: string }): void {
    const stream: OpenStream = { source, response, ...facts, last: undefined };
    const place = this.#open.add(stream);
    const onData = (chunk: Buffer): void => {
      stream.last = chunk;
      if (this.#isEnding) this.#end(stream);
    };
    source.on("data", onData);
    response.once("close", () => this.#open.remove(place));
  }

  /** Ends each stream after the event that is being passed on. */
  endAll(): void {
    this.#isEnding = true;
    for (const stream of this.#open.list()) this.#end(stream);
  }

  #end(stream: OpenStream): void {
    const { source, response, path, requestId, last } = stream;
    if (!isBetweenEvents(last) || response.writableEnded || response.destroyed) return;
    source.unpipe(response);
    response.end(toErrorEvent(path, requestId));
    // The relay learns that the client is disconnected.
    source.destroy();
  }
}
