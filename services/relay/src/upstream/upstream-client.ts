import { Agent, type Dispatcher, errors } from "undici";
import { createProxies } from "./proxies.ts";
import { type Unpacking, unpackingOf } from "./decompression.ts";
import { isWebSocketUrl, sendOverWebSocket } from "./websocket-call.ts";

/** Limits of one upstream call, each for its own phase. */
export type Timeouts = { readonly connectMs: number; readonly firstByteMs: number; readonly idleMs: number };

export type OutgoingRequest = {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Pieces are sent one after the other; `content-length` must stand in the headers then. */
  readonly body: string | Buffer | readonly Buffer[] | undefined;
  readonly firstByteMs: number;
  readonly idleMs: number;
  /** The address of a proxy to go through. */
  readonly proxy?: string;
};

/** The part of a request that says the way, where it is not direct. */
export const through = (proxy: string | undefined): { readonly proxy?: string } =>
  proxy === undefined ? {} : { proxy };

export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Receives one answer. `fail` comes instead of `end`, at any time, exactly once. */
export type AnswerSink = {
  readonly head: (status: number, headers: AnswerHeaders) => void;
  readonly data: (chunk: Buffer) => void;
  readonly end: () => void;
  readonly fail: (error: Error) => void;
};

/** Steers an answer that is on its way. `abort` makes no sink call follow. */
export type UpstreamCall = { readonly abort: () => void; readonly pause: () => void; readonly resume: () => void };

/** Runs `cancel` when the work is no longer wanted; at once when it never was. Lighter than an AbortSignal, and every call has one. */
export type OnCancel = (cancel: (reason: Error) => void) => void;

/** The channel's address, or its proxy's, is none. */
class UnusableAddress extends Error {
  constructor(cause: Error) {
    super("the address cannot be used", { cause });
    this.name = "UnusableAddress";
  }
}
const NO_CALL: UpstreamCall = { abort: () => undefined, pause: () => undefined, resume: () => undefined };

type Place = { readonly origin: string; readonly path: string };
const PLACES_MAX = 10_000;

export type UpstreamClient = ReturnType<typeof createUpstreamClient>;

const KEEP_ALIVE_MS = 30_000;
const CONNECTIONS_PER_ORIGIN = 1_024;

/** Speaks HTTP to providers through undici's dispatcher, one pool for each origin; never follows redirects. */
export function createUpstreamClient(options: { connectMs: number }) {
  const agent = new Agent({
    connections: CONNECTIONS_PER_ORIGIN,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connect: { timeout: options.connectMs },
  });
  const proxies = createProxies({ connectMs: options.connectMs, keepAliveMs: KEEP_ALIVE_MS });
  // Channels have few addresses and many calls.
  const places = new Map<string, Place>();
  const placeOf = (address: string): Place => {
    const known = places.get(address);
    if (known) return known;
    const url = new URL(address);
    const place = { origin: url.origin, path: url.pathname + url.search };
    if (places.size >= PLACES_MAX) places.clear();
    places.set(address, place);
    return place;
  };
  const wayOf = ({ url, proxy }: OutgoingRequest): { place: Place; dispatcher: Dispatcher } | Error => {
    try {
      return { place: placeOf(url), dispatcher: proxy === undefined ? agent : proxies.of(proxy) };
    } catch (error) {
      return error instanceof Error ? error : new Error("no way to upstream", { cause: error });
    }
  };
  return {
    send(request: OutgoingRequest, sink: AnswerSink): UpstreamCall {
      if (isWebSocketUrl(request.url)) return sendOverWebSocket(request, sink, options.connectMs);
      let controller: Dispatcher.DispatchController | undefined;
      let aborted = false;
      let unpacking: Unpacking | undefined;
      const way = wayOf(request);
      if (way instanceof Error) {
        // Another channel may have a better address.
        queueMicrotask(() => sink.fail(new UnusableAddress(way)));
        return NO_CALL;
      }
      const { origin, path } = way.place;
      const abort = (): void => {
        if (aborted) return;
        aborted = true;
        unpacking?.abandon();
        controller?.abort(new Error("aborted"));
      };
      // What cannot be unpacked need not be sent on.
      const giveUp = (error: Error): void => {
        abort();
        sink.fail(error);
      };
      way.dispatcher.dispatch(
        {
          origin,
          path,
          method: request.method,
          headers: request.headers as Record<string, string>,
          // undici takes any iterable of buffers, which its types do not say.
          body: (request.body as string | Buffer | undefined) ?? null,
          headersTimeout: request.firstByteMs,
          bodyTimeout: request.idleMs,
        },
        {
          onRequestStart(started) {
            controller = started;
            if (aborted) started.abort(new Error("aborted"));
          },
          onResponseStart(_, status, headers) {
            // Hints that come before the answer (103) are not its head.
            if (aborted || status < 200) return;
            if (headers["content-encoding"] !== undefined) unpacking = unpackingOf(headers, { ...sink, fail: giveUp });
            sink.head(status, headers);
          },
          onResponseData(_, chunk) {
            if (!aborted) (unpacking ?? sink).data(chunk);
          },
          onResponseEnd() {
            if (!aborted) (unpacking ?? sink).end();
          },
          onResponseError(_, error) {
            if (aborted) return;
            unpacking?.abandon();
            sink.fail(error);
          },
        },
      );
      return {
        abort,
        pause: () => controller?.pause(),
        resume: () => controller?.resume(),
      };
    },
    async close(): Promise<void> {
      await Promise.all([agent.destroy(), proxies.close()]);
    },
  };
}

export type UpstreamResponse = { readonly status: number; readonly headers: AnswerHeaders; readonly body: Buffer };

/**
 * Reads an answer to its end, at most `bytesMax` of it and for as long as the longer of the request's phases, or until `isEnough`
 * says so of what came; rejects with the reason when it is cancelled.
 */
export function receiveResponse(
  client: UpstreamClient,
  request: OutgoingRequest,
  options: { bytesMax: number; onCancel: OnCancel; isEnough?: (chunk: Buffer, headers: AnswerHeaders) => boolean },
): Promise<UpstreamResponse> {
  let overdue: NodeJS.Timeout | undefined;
  const received = new Promise<UpstreamResponse>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let status = 0;
    let headers: AnswerHeaders = {};
    // A body that comes byte by byte is never idle, and would else take for ever.
    const nonStreamingMs = Math.max(request.firstByteMs, request.idleMs);
    const endMs = performance.now() + nonStreamingMs;
    const giveUp = (): void => {
      call.abort();
      reject(new errors.BodyTimeoutError());
    };
    const call = client.send(request, {
      head: (answered, sent) => {
        status = answered;
        headers = sent;
        // The phases' limits begin anew with the head.
        overdue = setTimeout(giveUp, endMs - performance.now());
      },
      data: (chunk) => {
        bytes += chunk.length;
        if (bytes <= options.bytesMax) {
          chunks.push(chunk);
          if (!options.isEnough?.(chunk, headers)) return;
          call.abort();
          return resolve({ status, headers, body: Buffer.concat(chunks) });
        }
        call.abort();
        reject(new Error(`the answer is larger than ${options.bytesMax} bytes`));
      },
      end: () =>
        resolve({ status, headers, body: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks) }),
      fail: reject,
    });
    options.onCancel((reason) => {
      call.abort();
      reject(reason);
    });
  });
  return received.finally(() => clearTimeout(overdue));
}
