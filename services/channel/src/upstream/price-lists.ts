import type { PriceRules } from "@turnpike/contract/pricing/rules/price-rule";
import type { GetPriceListResponse } from "@turnpike/proto/channel/v1/channel_service";
import type { RelayServiceServer } from "@turnpike/proto/relay/v1/relay_service";
import { type CatalogueSource, readCatalogueText, readGroupRatios } from "@turnpike/shared/catalogue/catalogue-formats";
import { toAppError } from "@turnpike/shared/errors/app-error";
import type { GrpcClient } from "@turnpike/shared/grpc/client";
import { readChannelSetting } from "@turnpike/contract/channel-setting";
import type { ChannelDoc } from "../channels/channel-model.ts";
import type { PriceListDoc, PriceListModel } from "./price-list-model.ts";
import { countPriced, getResellerSide, type ResellerPrices, resolveCost } from "./reseller-cost.ts";

export type PriceLists = ReturnType<typeof createPriceLists>;

const FETCH_TIMEOUT_MS = 45_000;
const QUERY_TIMEOUT_MS = 5_000;
const FETCH_EVERY_SECONDS = 6 * 3_600;
const RETRY_EVERY_SECONDS = 1_800;
const ERROR_LENGTH_MAX = 500;
/** Parsed lists that are kept; each has at most a few thousand models. */
const PARSED_MAX = 500;

type Deps = {
  readonly lists: PriceListModel;
  readonly relay: Pick<GrpcClient<RelayServiceServer>, "fetchPriceList">;
  readonly nowSeconds: () => number;
};

/** Parses stored lists once, as long as they are not replaced: every relay reads the routing table each minute. */
function createParser() {
  const parsed = new Map<number, { readonly fetchedAtSeconds: number; readonly list: ResellerPrices }>();
  return function parse({ _id, fetchedAtSeconds, prices, groups }: PriceListDoc): ResellerPrices {
    const known = parsed.get(_id);
    if (known?.fetchedAtSeconds === fetchedAtSeconds) return known.list;
    const list = { prices: JSON.parse(prices) as PriceRules, groups: JSON.parse(groups) as Record<string, number> };
    if (parsed.size >= PARSED_MAX) parsed.clear();
    parsed.set(_id, { fetchedAtSeconds, list });
    return list;
  };
}

/** Access to stored lists. */
function createPriceListStore(lists: PriceListModel) {
  return {
    find: (id: number): Promise<PriceListDoc | null> =>
      lists.findById(id).maxTimeMS(QUERY_TIMEOUT_MS).lean<PriceListDoc | null>().exec(),
    /** The lists of these channels that were fetched at least once. */
    findAll: (ids: readonly number[]): Promise<PriceListDoc[]> =>
      lists
        .find({ _id: { $in: [...ids] }, fetchedAtSeconds: { $gt: 0 } })
        .maxTimeMS(QUERY_TIMEOUT_MS)
        .lean<PriceListDoc[]>()
        .exec(),
    async write(id: number, set: Partial<Omit<PriceListDoc, "triedAt">>): Promise<void> {
      await lists.updateOne(
        { _id: id },
        { $set: { ...set, triedAt: new Date() } },
        { upsert: true, setDefaultsOnInsert: true },
      );
    },
  };
}
type PriceListStore = ReturnType<typeof createPriceListStore>;

/** Fetches a channel's list and stores it; a failure keeps the stored one, and is stored as well. */
const createFetch = ({ write }: PriceListStore, { relay, nowSeconds }: Deps) =>
  async function fetch(channel: ChannelDoc, requestId?: string): Promise<void> {
    const { _id: id, baseUrl, setting } = channel;
    try {
      const request = { baseUrl, proxy: readChannelSetting(setting).proxy };
      const { source, body } = await relay.fetchPriceList(request, { requestId, timeoutMs: FETCH_TIMEOUT_MS });
      const prices = readCatalogueText(source as CatalogueSource, body);
      const groups = readGroupRatios(body);
      const list = { source, prices: JSON.stringify(prices), groups: JSON.stringify(groups) };
      await write(id, { ...list, fetchedAtSeconds: nowSeconds(), error: "", errorAtSeconds: 0 });
    } catch (error) {
      const { code, params, message } = toAppError(error);
      const reason = [params["path"], params["detail"] ?? message].filter(Boolean).join(": ");
      await write(id, { error: `${code}: ${reason}`.slice(0, ERROR_LENGTH_MAX), errorAtSeconds: nowSeconds() });
      throw error;
    }
  };

/** The price lists of resellers above channels: fetched through a relay, and stored. */
export function createPriceLists(deps: Deps) {
  const parse = createParser();
  const store = createPriceListStore(deps.lists);
  const fetch = createFetch(store, deps);
  return {
    fetch,
    /** Fetches a list that is older than some hours, unless an attempt has just failed; returns whether it did. */
    async fetchIfDue(channel: ChannelDoc): Promise<boolean> {
      const { fetchedAtSeconds = 0, errorAtSeconds = 0 } = (await store.find(channel._id)) ?? {};
      const now = deps.nowSeconds();
      if (now - fetchedAtSeconds < FETCH_EVERY_SECONDS || now - errorAtSeconds < RETRY_EVERY_SECONDS) return false;
      await fetch(channel);
      return true;
    },
    /** The stored list of a channel, in figures. */
    async describe(channel: ChannelDoc): Promise<GetPriceListResponse> {
      const doc = await store.find(channel._id);
      const list = doc && doc.fetchedAtSeconds > 0 ? parse(doc) : { prices: {}, groups: {} };
      return {
        fetchedAtSeconds: doc?.fetchedAtSeconds ?? 0,
        source: doc?.source ?? "",
        models: Object.keys(list.prices).length,
        pricedModels: countPriced(channel, list),
        groups: list.groups,
        error: doc?.error ?? "",
        errorAtSeconds: doc?.errorAtSeconds ?? 0,
      };
    },
    /** The cost sides of these channels as relays read them, by channel id, where they are not as stored. */
    async resolveCosts(channels: readonly ChannelDoc[]): Promise<ReadonlyMap<number, string>> {
      const sides = channels.flatMap((channel) => {
        const side = getResellerSide(channel);
        return side ? [{ channel, side }] : [];
      });
      if (sides.length === 0) return new Map();
      const found = await store.findAll(sides.map(({ channel }) => channel._id));
      const byId = new Map(found.map((doc) => [doc._id, doc]));
      return new Map(
        sides.map(({ channel, side }) => {
          const doc = byId.get(channel._id);
          return [channel._id, resolveCost(channel, side, doc && parse(doc))];
        }),
      );
    },
  };
}
