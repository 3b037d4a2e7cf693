import { findUpstreamName } from "@turnpike/contract/api/models/model-mapping";
import type {
  Ability,
  IdleChannel,
  ListAbilitiesResponse,
  MappedModel,
  RoutingChannel,
} from "@turnpike/proto/channel/v1/channel_service";
import type { Logger } from "@turnpike/shared/log/log";
import { readJsonObject } from "../channels/channel-json.ts";
import { type KeyRing, keysInUse } from "../channels/channel-keys.ts";
import type { ChannelDoc } from "../channels/channel-model.ts";
import type { ChannelStore } from "../channels/channel-store.ts";
import type { PriceLists } from "../upstream/price-lists.ts";
import { toChannel } from "../channels/channel-view.ts";

export type RoutingReader = ReturnType<typeof createRoutingReader>;

/** What each group can call: groups and models sorted by name. */
export function toAbilities(channels: readonly Pick<ChannelDoc, "groups" | "models" | "modelPrefix">[]): Ability[] {
  const modelsByGroup = new Map<string, Set<string>>();
  for (const { groups, models, modelPrefix } of channels)
    for (const group of groups) {
      const known = modelsByGroup.get(group) ?? new Set<string>();
      modelsByGroup.set(group, known);
      for (const model of models) known.add(modelPrefix + model);
    }
  return [...modelsByGroup]
    .map(([group, models]) => ({ group, models: [...models].toSorted() }))
    .toSorted((a, b) => (a.group < b.group ? -1 : 1));
}

/** The models of each group that are not among those served. */
function subtract(all: readonly Ability[], served: readonly Ability[]): Ability[] {
  const servedModels = new Map(served.map(({ group, models }) => [group, new Set(models)]));
  return all
    .map(({ group, models }) => ({ group, models: models.filter((model) => !servedModels.get(group)?.has(model)) }))
    .filter(({ models }) => models.length > 0);
}

/** The models that channels serve under other names upstream, each pair once. */
export function toMappedModels(
  channels: readonly Pick<ChannelDoc, "models" | "modelPrefix" | "modelMapping">[],
): MappedModel[] {
  const found = new Map<string, MappedModel>();
  for (const { models, modelPrefix, modelMapping } of channels) {
    if (modelPrefix === "" && modelMapping === "") continue;
    const mapping = readJsonObject("model_mapping", modelMapping) ?? {};
    const names = Object.fromEntries(Object.entries(mapping).map(([name, upstream]) => [name, String(upstream)]));
    for (const bare of models) {
      const model = modelPrefix + bare;
      const upstream = findUpstreamName(modelPrefix, names, model);
      if (upstream !== model) found.set(`${model}\n${upstream}`, { model, upstream });
    }
  }
  return [...found.values()];
}

/** Reads the routing table: enabled channels with an enabled key. */
export function createRoutingReader(deps: {
  store: ChannelStore;
  priceLists: Pick<PriceLists, "resolveCosts">;
  keyRing: KeyRing;
  log: Logger;
}) {
  const { store, priceLists, keyRing, log } = deps;
  const isUsable = ({ keys }: ChannelDoc): boolean => keysInUse(keys).length > 0;
  const toIdle = ({
    _id: id,
    models,
    modelPrefix,
  }: Pick<ChannelDoc, "_id" | "models" | "modelPrefix">): IdleChannel => ({
    id,
    models: models.map((model) => modelPrefix + model),
  });
  return {
    /** The full table with decrypted keys, and its revision: the channels are at least as new as the revision. */
    async snapshot(): Promise<{ revision: number; channels: RoutingChannel[]; idle: IdleChannel[] }> {
      const revision = await store.revision();
      const [enabled, disabled] = await Promise.all([store.listEnabled(), store.listDisabled()]);
      const usable = enabled.filter(isUsable);
      const costs = await priceLists.resolveCosts(usable);
      const channels = usable.flatMap((doc) => {
        try {
          const channel = { ...toChannel(doc), cost: costs.get(doc._id) ?? doc.cost ?? "" };
          return [{ channel, keys: keyRing.open(keysInUse(doc.keys)) }];
        } catch (error) {
          // One key that this master key cannot decrypt must not remove the other channels.
          log.error({ err: error, channelId: doc._id }, "channel keys could not be decrypted, channel skipped");
          return [];
        }
      });
      const idle = [...disabled, ...enabled.filter((doc) => !isUsable(doc))].map(toIdle);
      return { revision, channels, idle };
    },
    /** The models of each group; `isDown` returns whether the circuit breakers of a channel with this many keys are open. */
    async abilities(isDown: (channelId: number, keyCount: number) => boolean): Promise<ListAbilitiesResponse> {
      const [enabled, disabled] = await Promise.all([store.listEnabled(), store.listAutoDisabled()]);
      const usable = enabled.filter(isUsable);
      const serving = usable.filter(({ _id, keys }) => !isDown(_id, keysInUse(keys).length));
      const unavailable = subtract(toAbilities([...enabled, ...disabled]), toAbilities(serving));
      return { abilities: toAbilities(usable), mappedModels: toMappedModels(usable), unavailable };
    },
  };
}
