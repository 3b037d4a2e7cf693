import type { Channel, ChannelInput, ChannelServiceServer } from "@turnpike/proto/channel/v1/channel_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import { requireAdmin } from "@turnpike/shared/grpc/caller";
import type { Handlers } from "@turnpike/shared/grpc/server";
import { toPageRange } from "@turnpike/shared/mongo/query";
import type { ChannelAdmin } from "./channel-admin.ts";
import type { LiveHealth } from "./live-health.ts";
import { keysInUse } from "./channel-keys.ts";
import type { ChannelDoc } from "./channel-model.ts";
import { toChannel } from "./channel-view.ts";

type Rpcs = "listChannels" | "findChannel" | "createChannel" | "updateChannel" | "deleteChannel";

function present(input: ChannelInput | undefined): ChannelInput {
  if (!input) throw new AppError("invalid_input", "no input", { params: { detail: "input" } });
  return input;
}

/** RPCs over channels; for admins. */
export const channelHandlers = (admin: ChannelAdmin, live: LiveHealth): Pick<Handlers<ChannelServiceServer>, Rpcs> => {
  const toShown = (doc: ChannelDoc): Channel => ({
    ...toChannel(doc),
    health: live.of(doc._id, keysInUse(doc.keys).length),
  });
  return {
    async listChannels(request, context) {
      requireAdmin(context);
      const { idSort, group, model, tag = "" } = request;
      const texts = { keyword: request.keyword.trim(), group: group.trim(), model: model.trim(), tag: tag.trim() };
      const filter = { ...texts, idSort };
      const list = request.tagMode ? admin.listTagged : admin.list;
      const { items, total } = await list(filter, toPageRange(request, 0));
      return { items: items.map(toShown), total };
    },
    async findChannel({ id }, context) {
      requireAdmin(context);
      return { channel: toShown(await admin.get(id)) };
    },
    async createChannel({ input, copyFrom }, context) {
      return { channel: toShown(await admin.create(requireAdmin(context), present(input), copyFrom)) };
    },
    async updateChannel({ id, input }, context) {
      return { channel: toShown(await admin.update(requireAdmin(context), id, present(input))) };
    },
    async deleteChannel({ id }, context) {
      await admin.remove(requireAdmin(context), id);
      return {};
    },
  };
};
