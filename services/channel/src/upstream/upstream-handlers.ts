import type { ChannelServiceServer } from "@turnpike/proto/channel/v1/channel_service";
import { requireAdmin } from "@turnpike/shared/grpc/caller";
import type { Handlers } from "@turnpike/shared/grpc/server";
import type { ChannelTester } from "./channel-tester.ts";
import type { ModelLists } from "./model-lists.ts";

type Rpcs = "testChannel" | "fetchModels";

/** RPCs that call an upstream through a relay; for admins. */
export const upstreamHandlers = (deps: {
  tester: ChannelTester;
  modelLists: ModelLists;
}): Pick<Handlers<ChannelServiceServer>, Rpcs> => ({
  async testChannel({ id, model }, context) {
    requireAdmin(context);
    return deps.tester.test(id, model, context.requestId);
  },
  async fetchModels(request, context) {
    requireAdmin(context);
    return { models: await deps.modelLists.fetch(request, context.requestId) };
  },
});
