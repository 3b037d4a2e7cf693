import type { ChannelServiceServer } from "@turnpike/proto/channel/v1/channel_service";
import { requireService } from "@turnpike/shared/grpc/caller";
import type { Handlers } from "@turnpike/shared/grpc/server";
import type { RoutingReader } from "./routing-reader.ts";

type Rpcs = "getRoutingSnapshot" | "listAbilities";

/** The rpcs over the routing table. Keys in clear are for relays; what can be called is for everybody. */
export const routingHandlers = (routing: RoutingReader): Pick<Handlers<ChannelServiceServer>, Rpcs> => ({
  async getRoutingSnapshot(_, context) {
    requireService(context);
    return routing.snapshot();
  },
  async listAbilities() {
    return { abilities: await routing.abilities() };
  },
});
