import { Agent, type Dispatcher, errors } from "undici";
import { createProxies } from "./proxies.ts";
import { type Decompressor, createDecompressor } from "./decompression.ts";
import { isWebSocketUrl, sendOverWebSocket } from "./websocket-call.ts";

/** Time limits of one upstream call, one per phase. */
export type Timeouts = { readonly connectMs: number; readonly firstByteMs: number; readonly idleMs: number };

export type OutgoingRequest = {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Chunks are sent in order; `content-length` must then be in the headers. */
  readonly body: string | Buffer | readonly Buffer[] | undefined;
  readonly firstByteMs: number;
  readonly idleMs: number;
  /** The URL of a proxy to use. */
  readonly proxy?: string;
};

/** The proxy option of a request; empty for a direct connection. */
export const through = (proxy: string | undefined): { readonly proxy?: string } =>
  proxy === undefined ? {} : { proxy };

export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Receives one response. `fail` is called instead of `end`, at any time, exactly once. */
export type ResponseSink = {
  readonly head: (status: number, headers: ResponseHeaders) => void;
  readonly data: (chunk: Buffer) => void;
  readonly end: () => void;
  readonly fail: (error: Error) => void;
};

/** Controls a response in progress. After `abort` no sink method is called. */
export type UpstreamCall = { readonly abort: () => void; readonly pause: () => void; readonly resume: () => void };

/**
 * Registers `cancel` to run when the work is no longer needed; it runs at once if that is already so. Lighter than an
 * AbortSignal, and every call has one.
 */
export type OnCancel = (cancel: (reason: Error) => void) => void;

/** The channel's base URL, or its proxy's URL, is invalid. */
class UnusableAddress extends Error {
  constructor(cause: Error) {
    super("the URL is invalid", { cause });
    this.name = "UnusableAddress";
  }
}
const NO_CALL: UpstreamCall = { abort: () => undefined, pause: () => undefined, resume: () => undefined };

type Endpoint = { readonly origin: string; readonly path: string };
const PLACES_MAX = 10_000;

export type UpstreamClient = ReturnType<typeof createUpstreamClient>;

const KEEP_ALIVE_MS = 30_000;
const CONNECTIONS_PER_ORIGIN = 1_024;

/** HTTP client for providers, on undici's dispatcher with one pool per origin; never follows redirects. */
export function createUpstreamClient(options: { connectMs: number }) {
  const agent = new Agent({
    connections: CONNECTIONS_PER_ORIGIN,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connect: { timeout: options.connectMs },
  });
  const proxies = createProxies({ connectMs: options.connectMs, keepAliveMs: KEEP_ALIVE_MS });
  // Channels have few URLs and many calls.
  const places = new Map<string, Endpoint>();
  const placeOf = (address: string): Endpoint => {
    const known = places.get(address);
    if (known) return known;
    const url = new URL(address);
    const place = { origin: url.origin, path: url.pathname + url.search };
    if (places.size >= PLACES_MAX) places.clear();
    places.set(address, place);
    return place;
  };
  const wayOf = ({ url, proxy }: OutgoingRequest): { place: Endpoint; dispatcher: Dispatcher } | Error => {
    try {
      return { place: placeOf(url), dispatcher: proxy === undefined ? agent : proxies.of(proxy) };
    } catch (error) {
      return error instanceof Error ? error : new Error("no connection to upstream", { cause: error });
    }
  };
  return {
    send(request: OutgoingRequest, sink: ResponseSink): UpstreamCall {
      if (isWebSocketUrl(request.url)) return sendOverWebSocket(request, sink, options.connectMs);
      let controller: Dispatcher.DispatchController | undefined;
      let aborted = false;
      let unpacking: Decompressor | undefined;
      const way = wayOf(request);
      if (way instanceof Error) {
        // Failover: another channel may have a valid URL.
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
      // Upstream need not send the rest of a body that cannot be decompressed.
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
          // undici accepts any iterable of buffers, although its types do not include it.
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
            // Informational responses (103) precede the final one.
            if (aborted || status < 200) return;
            if (headers["content-encoding"] !== undefined)
              unpacking = createDecompressor(headers, { ...sink, fail: giveUp });
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

export type UpstreamResponse = { readonly status: number; readonly headers: ResponseHeaders; readonly body: Buffer };

/**
 * Reads a response to its end, up to `bytesMax` and up to the longer of the request's time limits, or until `isEnough`
 * accepts what was received; rejects with the reason if it is cancelled.
 */
export function receiveResponse(
  client: UpstreamClient,
  request: OutgoingRequest,
  options: { bytesMax: number; onCancel: OnCancel; isEnough?: (chunk: Buffer, headers: ResponseHeaders) => boolean },
): Promise<UpstreamResponse> {
  let overdue: NodeJS.Timeout | undefined;
  const received = new Promise<UpstreamResponse>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let status = 0;
    let headers: ResponseHeaders = {};
    // A body that arrives byte by byte is never idle, and would otherwise take forever.
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
        // The time limits of the phases restart after the headers.
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
        reject(new Error(`the response is larger than ${options.bytesMax} bytes`));
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
