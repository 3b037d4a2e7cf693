import { errors } from "undici";
import type { Socket } from "node:net";
import { type ClientOptions, WebSocket } from "ws";
import { openTunnel } from "./tunnel.ts";
import type { ResponseSink, OutgoingRequest, UpstreamCall } from "./upstream-call.ts";

const MESSAGE_BYTES_MAX = 16 * 1024 * 1024;
const EVENTS = { "content-type": "text/event-stream" } as const;

/** Whether a request uses a WebSocket, by the scheme of its URL. */
export const isWebSocketUrl = (url: string): boolean => url.startsWith("ws");

/** JSON has line breaks only between its tokens, where a space is equivalent. */
const toEvent = (text: string): Buffer => Buffer.from(`data: ${text.replace(/\r?\n/g, " ")}\n\n`);

/**
 * Sends the body as the first message and passes on each received message as a server-sent event, so that the
 * relay treats it as any other stream. A refused handshake is a response with its status and body; the phases have the time
 * limits of any other call.
 */
export function sendOverWebSocket(request: OutgoingRequest, sink: ResponseSink, connectMs: number): UpstreamCall {
  return request.proxy === undefined
    ? openCall(request, sink, { handshakeTimeout: connectMs })
    : sendThroughTunnel(request, sink, { address: request.proxy, connectMs });
}

/** The same through a proxy's tunnel. */
function sendThroughTunnel(
  request: OutgoingRequest,
  sink: ResponseSink,
  proxy: { address: string; connectMs: number },
): UpstreamCall {
  let call: UpstreamCall | undefined;
  let isAborted = false;
  const begin = (socket: Socket): void => {
    if (isAborted) socket.destroy();
    else call = openCall(request, sink, { handshakeTimeout: proxy.connectMs, createConnection: () => socket });
  };
  openTunnel(request.url, proxy.address, proxy.connectMs)
    .then(begin)
    .catch((error: Error) => !isAborted && sink.fail(error));
  return {
    abort: () => {
      isAborted = true;
      call?.abort();
    },
    pause: () => call?.pause(),
    resume: () => call?.resume(),
    isSent: () => call?.isSent() === true,
  };
}

function openCall(request: OutgoingRequest, sink: ResponseSink, options: ClientOptions): UpstreamCall {
  const socket = new WebSocket(request.url, { ...options, perMessageDeflate: false, maxPayload: MESSAGE_BYTES_MAX });
  let isOver = false;
  let isSent = false;
  let silence: NodeJS.Timeout | undefined;

  const finish = (report: () => void): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(silence);
    report();
    socket.terminate();
  };
  const expectWithin = (ms: number): void => {
    clearTimeout(silence);
    silence = setTimeout(() => finish(() => sink.fail(new errors.BodyTimeoutError())), ms);
  };

  socket.on("open", () => {
    if (isOver) return socket.terminate();
    sink.head(200, EVENTS);
    socket.send(typeof request.body === "string" ? request.body : "");
    isSent = true;
    expectWithin(request.firstByteMs);
  });
  socket.on("message", (message: Buffer) => {
    if (isOver) return;
    expectWithin(request.idleMs);
    sink.data(toEvent(message.toString("utf8")));
  });
  socket.on("unexpected-response", (_, response) => {
    if (isOver) return;
    expectWithin(request.firstByteMs);
    sink.head(response.statusCode ?? 502, response.headers);
    response.on("data", (chunk: Buffer) => !isOver && sink.data(chunk));
    response.on("end", () => finish(sink.end));
    response.on("error", (error) => finish(() => sink.fail(error)));
  });
  socket.on("close", () => finish(sink.end));
  socket.on("error", (error) => finish(() => sink.fail(error)));

  return {
    abort: () => finish(() => undefined),
    // Backpressure from a slow reader does not count as upstream silence.
    pause: () => {
      clearTimeout(silence);
      socket.pause();
    },
    resume: () => {
      if (isOver) return;
      socket.resume();
      expectWithin(request.idleMs);
    },
    isSent: () => isSent,
  };
}
