import type { NoticeTargetServiceServer } from "@turnpike/proto/auth/v1/notice_target_service";
import { requireService } from "@turnpike/shared/grpc/caller";
import type { Handlers } from "@turnpike/shared/grpc/server";
import type { NoticeTargets } from "./notice-targets.ts";

/** RPCs through which messaging reads notification targets; they contain secrets and are for services only. */
export const noticeTargetHandlers = (targets: NoticeTargets): Handlers<NoticeTargetServiceServer> => ({
  async listWarningThresholds({ userIds }, context) {
    requireService(context);
    return { thresholds: await targets.thresholds(userIds) };
  },
  async getNoticeTarget({ userId }, context) {
    requireService(context);
    return targets.target(userId);
  },
  async listUserNames({ userIds }, context) {
    requireService(context);
    return { names: await targets.names(userIds) };
  },
});
