import type { ChannelServiceServer } from "@turnpike/proto/channel/v1/channel_service";
import { requireAdmin } from "@turnpike/shared/grpc/caller";
import type { Handlers } from "@turnpike/shared/grpc/server";
import type { ChannelTester } from "./channel-tester.ts";
import type { ChannelStore } from "../channels/channel-store.ts";
import type { PriceLists } from "./price-lists.ts";
import type { ModelLists } from "./model-lists.ts";

type Rpcs = "testChannel" | "fetchModels" | "getPriceList";

/** RPCs that call an upstream through a relay; for admins. */
export const upstreamHandlers = (deps: {
  tester: ChannelTester;
  modelLists: ModelLists;
  priceLists: PriceLists;
  store: Pick<ChannelStore, "get">;
}): Pick<Handlers<ChannelServiceServer>, Rpcs> => ({
  async testChannel({ id, model }, context) {
    requireAdmin(context);
    return deps.tester.test(id, model, context.requestId);
  },
  async fetchModels(request, context) {
    requireAdmin(context);
    return { models: await deps.modelLists.fetch(request, context.requestId) };
  },
  async getPriceList({ id, refresh }, context) {
    requireAdmin(context);
    const channel = await deps.store.get(id);
    if (refresh) await deps.priceLists.fetch(channel, context.requestId);
    return deps.priceLists.describe(channel);
  },
});
