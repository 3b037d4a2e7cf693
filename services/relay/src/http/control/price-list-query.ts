import { AppError } from "@turnpike/shared/errors/app-error";
import type { FetchPriceListRequest, FetchPriceListResponse } from "@turnpike/proto/relay/v1/relay_service";
import { asObject, parseJson } from "../../core/chat/json.ts";
import { receiveResponse, through, type UpstreamClient } from "../../upstream/upstream-client.ts";
import { cancelAfter } from "./channel-requests.ts";

const TIMEOUT_MS = 15_000;
const BYTES_MAX = 4 * 1024 * 1024;

/** Where sites of the family serve their prices: the first one has the ratios of groups, too. */
const PLACES = [
  { source: "pricing", path: "/api/pricing" },
  { source: "ratio_config", path: "/api/ratio_config" },
] as const;

const failed = (detail: string, cause?: unknown): AppError =>
  new AppError("fetch_prices_failed", detail, { params: { detail }, cause });

/** Reads the price list of a reseller's site. Throws fetch_prices_failed if it has none. */
export function createPriceListQuery(client: UpstreamClient) {
  const read = async (url: string, proxy: string): Promise<string> => {
    const limits = { bytesMax: BYTES_MAX, onCancel: cancelAfter(TIMEOUT_MS) };
    const headers = { accept: "application/json" };
    const timeouts = { firstByteMs: TIMEOUT_MS, idleMs: TIMEOUT_MS };
    const request = { method: "GET", url, headers, body: undefined, ...timeouts } as const;
    const { status, body } = await receiveResponse(
      client,
      { ...request, ...through(proxy === "" ? undefined : proxy) },
      limits,
    );
    if (status !== 200) throw failed(`HTTP ${status}`);
    const text = body.toString("utf8");
    if (asObject(parseJson(text))?.["data"] === undefined) throw failed("the response is not a price list");
    return text;
  };
  return async function fetchPriceList({ baseUrl, proxy }: FetchPriceListRequest): Promise<FetchPriceListResponse> {
    const site = URL.parse(baseUrl);
    if (!site || !/^https?:$/.test(site.protocol)) throw failed("the channel has no address of a site");
    let last: AppError = failed("upstream could not be read");
    for (const { source, path } of PLACES) {
      try {
        return { source, body: await read(new URL(path, site.origin).href, proxy) };
      } catch (error) {
        last = error instanceof AppError ? error : failed("upstream could not be read", error);
      }
    }
    throw last;
  };
}
