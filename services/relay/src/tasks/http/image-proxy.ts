import { pipeline } from "node:stream/promises";
import type { createPrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";
import { type Dispatcher, request } from "undici";
import type { Exchange } from "../../core/call/exchange.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { createNoResponseError } from "../../upstream/upstream-errors.ts";
import { REDIRECTS_MAX, getRedirectTarget } from "../../upstream/redirects.ts";
import type { TaskRecords } from "../accounting/task-records.ts";

export type ImageProxy = (exchange: Exchange, upstreamId: string) => Promise<void>;

const TIMEOUT_MS = 30_000;
/** Content types that may be displayed in a browser under this site's origin. */
const MEDIA = /^(image|video)\/[\w.+-]+/i;

const HTTP = /^https?:\/\//i;

const notFetched = (): RelayError => new RelayError("upstream_error", "the image could not be fetched");
const discard = ({ body }: Dispatcher.ResponseData): void => void body.on("error", () => undefined).destroy();

const getOrigin = (url: string): string => (URL.canParse(url) ? new URL(url).origin : "");

/**
 * Streams a task's image through this site. The endpoint needs no authentication, so only the stored URL is fetched: at
 * the task's own upstream, which an administrator configured, or at a public address. Throws RelayError in the error
 * format of image task callers.
 */
export function createImageProxy(deps: {
  records: TaskRecords;
  guard: ReturnType<typeof createPrivateAddressGuard>;
  direct: Dispatcher;
}): ImageProxy {
  const open = async (url: string, isOwn: boolean, signal: AbortSignal): Promise<Dispatcher.ResponseData> => {
    // undici's guard wraps every connection; an upstream's own host needs none.
    const dispatcher = isOwn ? deps.direct : deps.guard.dispatcher;
    try {
      return await request(url, { dispatcher, signal, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });
    } catch (cause) {
      throw createNoResponseError(cause);
    }
  };
  /**
   * Follows redirects of an image. Once a redirect has left the upstream's host, every further one is checked by the
   * guard.
   */
  const find = async (address: string, upstream: string, signal: AbortSignal): Promise<Dispatcher.ResponseData> => {
    let url = address;
    let isOwn = true;
    for (let hop = 0; hop <= REDIRECTS_MAX; hop++) {
      isOwn &&= getOrigin(url) === getOrigin(upstream);
      const response = await open(url, isOwn, signal);
      const next = getRedirectTarget(url, response.statusCode, response.headers["location"]);
      if (next === undefined) return response;
      discard(response);
      if (!HTTP.test(next)) break;
      url = next;
    }
    throw notFetched();
  };
  return async function sendImage(exchange, upstreamId) {
    const [task] = await deps.records.find(0, "mj", [upstreamId]);
    const url = task?.state?.imageUrl ?? "";
    if (!HTTP.test(url)) throw new RelayError("not_found", "midjourney_task_not_found: no such image");
    const abort = new AbortController();
    exchange.onDisconnect(() => abort.abort());
    const response = await find(url, task?.account?.baseUrl ?? "", abort.signal);
    const { statusCode, headers, body } = response;
    const type = String(headers["content-type"] ?? "");
    if (statusCode !== 200 || !MEDIA.test(type)) {
      discard(response);
      throw notFetched();
    }
    const isDone = task?.state?.status === "SUCCESS";
    exchange.response.writeHead(200, {
      "content-type": type,
      ...(headers["content-length"] === undefined ? {} : { "content-length": String(headers["content-length"]) }),
      "cache-control": isDone ? "public, max-age=86400" : "no-store",
      "x-content-type-options": "nosniff",
      // Prevents an image with a script in it from running as a page.
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      "x-request-id": exchange.requestId,
    });
    await pipeline(body, exchange.response).catch(() => exchange.response.destroy());
  };
}
