import type { ChannelServiceServer } from "@turnpike/proto/channel/v1/channel_service";
import { requireService } from "@turnpike/shared/grpc/caller";
import type { Handlers } from "@turnpike/shared/grpc/server";
import type { LiveHealth } from "../channels/live-health.ts";
import type { RoutingReader } from "./routing-reader.ts";

type Rpcs = "getRoutingSnapshot" | "listAbilities";

/** RPCs over the routing table. Decrypted keys are for relays; the list of callable models is for every caller. */
export const routingHandlers = (
  routing: RoutingReader,
  live: Pick<LiveHealth, "of">,
): Pick<Handlers<ChannelServiceServer>, Rpcs> => ({
  async getRoutingSnapshot(_, context) {
    requireService(context);
    return routing.snapshot();
  },
  async listAbilities() {
    return routing.abilities((id, keyCount) => live.of(id, keyCount).state === "open");
  },
});
