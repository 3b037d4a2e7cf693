import { errors } from "undici";
import { type DeadlinePlace, DeadlineSweep } from "./deadline-sweep.ts";
import { Http1Client } from "./http1/http1-client.ts";
import { withHttpSpan } from "./http1/http-span.ts";
import { createProxies } from "./proxies.ts";
import { HttpCall } from "./http-call.ts";
import { isWebSocketUrl, sendOverWebSocket } from "./websocket-call.ts";
import type {
  OutgoingRequest,
  ResponseHeaders,
  ResponseSink,
  UpstreamCall,
  CallProgress,
  OnCancel,
  UpstreamResponse,
} from "./upstream-call.ts";

/** The proxy option of a request; empty for a direct connection. */
export const through = (proxy: string | undefined): { readonly proxy?: string } =>
  proxy === undefined ? {} : { proxy };

/** The channel's base URL, or its proxy's URL, is invalid. */
class UnusableAddress extends Error {
  constructor(cause: Error) {
    super("the URL is invalid", { cause });
    this.name = "UnusableAddress";
  }
}
const NO_CALL: UpstreamCall = {
  abort: () => undefined,
  pause: () => undefined,
  resume: () => undefined,
  isSent: () => false,
};

type Endpoint = { readonly origin: string; readonly path: string };
const ENDPOINTS_MAX = 10_000;

export type UpstreamClient = ReturnType<typeof createUpstreamClient>;

const deadlines = new DeadlineSweep();

const KEEP_ALIVE_MS = 30_000;
/** As many streams as a relay can hold open; a lower limit would make calls wait for the end of others. */
const CONNECTIONS_PER_ORIGIN = 20_000;

/** Parses URLs; channels have few and many calls. Throws a TypeError if a URL is invalid. */
function createEndpointCache(): (url: string) => Endpoint {
  const endpoints = new Map<string, Endpoint>();
  return (url) => {
    const known = endpoints.get(url);
    if (known) return known;
    const { origin, pathname, search } = new URL(url);
    const endpoint = { origin, path: pathname + search };
    if (endpoints.size >= ENDPOINTS_MAX) endpoints.clear();
    endpoints.set(url, endpoint);
    return endpoint;
  };
}

/**
 * HTTP client for providers with one pool per origin, through undici where a proxy is set; never follows redirects.
 */
export function createUpstreamClient(options: { connectMs: number }) {
  const direct = new Http1Client({
    connectMs: options.connectMs,
    keepAliveMs: KEEP_ALIVE_MS,
    connectionsPerOrigin: CONNECTIONS_PER_ORIGIN,
  });
  const proxies = createProxies({ connectMs: options.connectMs, keepAliveMs: KEEP_ALIVE_MS });
  const getEndpoint = createEndpointCache();
  const dispatch = ({ url, proxy, ...request }: OutgoingRequest, call: HttpCall): void => {
    const { origin, path } = getEndpoint(url);
    const { method, headers, firstByteMs: headersTimeout, idleMs: bodyTimeout } = request;
    const sent = { origin, path, method, headers, headersTimeout, bodyTimeout };
    if (proxy === undefined) {
      const traced = withHttpSpan({ ...sent, body: request.body ?? null }, call);
      direct.dispatch(traced.options, traced.handler);
    }
    // undici accepts any iterable of buffers, although its types do not include it.
    else proxies.of(proxy).dispatch({ ...sent, body: (request.body as string | undefined) ?? null }, call);
  };
  return {
    send(request: OutgoingRequest, sink: ResponseSink): UpstreamCall {
      if (isWebSocketUrl(request.url)) return sendOverWebSocket(request, sink, options.connectMs);
      const call = new HttpCall(sink);
      try {
        dispatch(request, call);
        return call;
      } catch (error) {
        const cause = error instanceof Error ? error : new Error("no connection to upstream", { cause: error });
        // Failover: another channel may have a valid URL.
        queueMicrotask(() => sink.fail(new UnusableAddress(cause)));
        return NO_CALL;
      }
    },
    async close(): Promise<void> {
      direct.close();
      await proxies.close();
    },
  };
}

/**
 * Reads a response to its end, up to `bytesMax` and up to the longer of the request's time limits, or until `isEnough`
 * accepts what was received; rejects with the reason if it is cancelled. `progress` is updated until then.
 */
export function receiveResponse(
  client: UpstreamClient,
  request: OutgoingRequest,
  options: {
    bytesMax: number;
    onCancel: OnCancel;
    isEnough?: (chunk: Buffer, headers: ResponseHeaders) => boolean;
    progress?: CallProgress;
  },
): Promise<UpstreamResponse> {
  if (options.progress) Object.assign(options.progress, { isSent: false, status: 0 });
  return new Promise<UpstreamResponse>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let status = 0;
    let headers: ResponseHeaders = {};
    let overdue: DeadlinePlace | undefined;
    // A body that arrives byte by byte is never idle, and would otherwise take forever.
    const endMs = performance.now() + Math.max(request.firstByteMs, request.idleMs);
    const finish = (body: Buffer): void => {
      if (overdue) deadlines.remove(overdue);
      resolve({ status, headers, body });
    };
    const fail = (error: Error): void => {
      if (overdue) deadlines.remove(overdue);
      reject(error);
    };
    const giveUp = (): void => {
      call.abort();
      fail(new errors.BodyTimeoutError());
    };
    const call = client.send(request, {
      head: (sentStatus, sent) => {
        status = sentStatus;
        if (options.progress) options.progress.status = sentStatus;
        headers = sent;
        // The time limits of the phases restart after the headers.
        overdue = deadlines.add(endMs, giveUp);
      },
      data: (chunk) => {
        bytes += chunk.length;
        if (bytes <= options.bytesMax) {
          chunks.push(chunk);
          if (!options.isEnough?.(chunk, headers)) return;
          call.abort();
          return finish(Buffer.concat(chunks));
        }
        call.abort();
        fail(new Error(`the response is larger than ${options.bytesMax} bytes`));
      },
      end: () => finish(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)),
      fail,
    });
    options.onCancel((reason) => {
      if (options.progress) options.progress.isSent = call.isSent();
      call.abort();
      fail(reason);
    });
  });
}
