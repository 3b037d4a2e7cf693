import { ChannelPriceList } from "@turnpike/contract/api/channels/channel";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../lib/api/api-client.ts";

/** A site above may be slow. */
const FETCH_TIMEOUT_MS = 60_000;

/** The price list of the reseller above a channel, in figures. */
export const priceListQuery = (channelId: number) =>
  queryOptions({
    queryKey: ["channels", "price-list", channelId],
    queryFn: ({ signal }) => api.get(`/api/channel/${channelId}/price_list`, { schema: ChannelPriceList, signal }),
  });

/** Fetches the list from the site above. */
export const fetchPriceList = (channelId: number) =>
  api.post(`/api/channel/${channelId}/price_list`, { schema: ChannelPriceList, timeoutMs: FETCH_TIMEOUT_MS });
