import type { ChannelBulkServiceServer } from "@turnpike/proto/channel/v1/channel_bulk_service";
import { requireAdmin } from "@turnpike/shared/grpc/caller";
import type { Handlers } from "@turnpike/shared/grpc/server";
import type { ChannelBulk } from "./channel-bulk.ts";

/** RPCs over many channels at once; for admins. */
export const channelBulkHandlers = (bulk: ChannelBulk): Handlers<ChannelBulkServiceServer> => ({
  async deleteChannels({ ids }, context) {
    return { count: await bulk.remove(requireAdmin(context), ids) };
  },
  async deleteDisabledChannels(_, context) {
    return { count: await bulk.removeDisabled(requireAdmin(context)) };
  },
  async tagChannels({ ids, tag }, context) {
    return { count: await bulk.tag(requireAdmin(context), ids, tag) };
  },
  async editTag(request, context) {
    return { count: await bulk.editTag(requireAdmin(context), request) };
  },
  async switchTag({ tag, enabled }, context) {
    return { count: await bulk.switchTag(requireAdmin(context), tag, enabled) };
  },
  async fixChannels(_, context) {
    return { count: await bulk.fix(requireAdmin(context)) };
  },
});
