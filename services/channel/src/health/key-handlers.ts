import type { ChannelHealthServiceServer, ChannelKey } from "@turnpike/proto/channel/v1/channel_health_service";
import { requireAdmin } from "@turnpike/shared/grpc/caller";
import type { Handlers } from "@turnpike/shared/grpc/server";
import type { ChannelChanges } from "../channels/channel-changes.ts";
import { reenableKey } from "../channels/channel-keys.ts";
import type { ChannelKey as StoredKey } from "../channels/channel-model.ts";
import type { ChannelStore } from "../channels/channel-store.ts";
import type { LiveHealth } from "../channels/live-health.ts";

type Rpcs = "listKeys" | "reviveKeys";

const isOutOfUse = ({ disabledAtSeconds }: StoredKey): boolean => disabledAtSeconds > 0;

/** RPCs over the keys of one channel, which are never returned; for admins. */
export function keyHandlers(deps: {
  store: Pick<ChannelStore, "get">;
  changes: Pick<ChannelChanges, "update">;
  live: Pick<LiveHealth, "getBreakers">;
}): Pick<Handlers<ChannelHealthServiceServer>, Rpcs> {
  const { store, changes, live } = deps;
  return {
    async listKeys({ id }, context) {
      requireAdmin(context);
      const breakers = live.getBreakers(id);
      const { keys } = await store.get(id);
      const toShown = (key: StoredKey): ChannelKey => ({
        hint: key.hint,
        state: isOutOfUse(key) ? "disabled" : (breakers.get(key.lookupHash) ?? "in_use"),
        reason: key.disabledReason,
        disabledAtSeconds: key.disabledAtSeconds,
      });
      return { keys: keys.map(toShown) };
    },
    async reviveKeys({ id }, context) {
      let count = 0;
      const actor = requireAdmin(context);
      await changes.update(
        id,
        ({ keys }) => {
          count = keys.filter(isOutOfUse).length;
          return count === 0 ? undefined : { keys: reenableKey(keys) };
        },
        actor,
      );
      return { count };
    },
  };
}
