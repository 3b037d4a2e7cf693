import type { Ability, IdleChannel, RoutingChannel } from "@turnpike/proto/channel/v1/channel_service";
import type { Logger } from "@turnpike/shared/log/log";
import { type KeyRing, keysInUse } from "../channels/channel-keys.ts";
import type { ChannelDoc } from "../channels/channel-model.ts";
import type { ChannelStore } from "../channels/channel-store.ts";
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

/** Reads the routing table: enabled channels with an enabled key. */
export function createRoutingReader(deps: { store: ChannelStore; keyRing: KeyRing; log: Logger }) {
  const { store, keyRing, log } = deps;
  const isUsable = ({ keys }: ChannelDoc): boolean => keysInUse(keys).length > 0;
  const listUsable = async (): Promise<ChannelDoc[]> => (await store.listEnabled()).filter(isUsable);
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
      const channels = enabled.filter(isUsable).flatMap((doc) => {
        try {
          return [{ channel: toChannel(doc), keys: keyRing.open(keysInUse(doc.keys)) }];
        } catch (error) {
          // One key that this master key cannot decrypt must not remove the other channels.
          log.error({ err: error, channelId: doc._id }, "channel keys could not be decrypted, channel skipped");
          return [];
        }
      });
      const idle = [...disabled, ...enabled.filter((doc) => !isUsable(doc))].map(toIdle);
      return { revision, channels, idle };
    },
    abilities: async (): Promise<Ability[]> => toAbilities(await listUsable()),
  };
}
