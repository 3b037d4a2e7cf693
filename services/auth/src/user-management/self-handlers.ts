import type { SelfServiceServer } from "@turnpike/proto/auth/v1/self_service";
import { requireSelf } from "@turnpike/shared/grpc/caller";
import type { Handlers } from "@turnpike/shared/grpc/server";
import type { CheckInService } from "../rewards/check-in-service.ts";
import type { InvitationService } from "../rewards/invitation-service.ts";
import type { UserSelf } from "./user-self.ts";

/** RPCs over a user's own account; each requires the user's own session. */
export const selfHandlers = (deps: {
  self: UserSelf;
  invitations: InvitationService;
  checkIns: CheckInService;
}): Handlers<SelfServiceServer> => ({
  async deleteSelf({ userId, confirmation }, context) {
    await deps.self.remove(requireSelf(context, userId), confirmation);
    return {};
  },
  async transferEarnings({ userId, amount }, context) {
    requireSelf(context, userId);
    return { amount, affQuota: await deps.invitations.transfer(userId, amount) };
  },
  async getCheckInStatus({ userId }, context) {
    requireSelf(context, userId);
    return deps.checkIns.status(userId);
  },
  async checkIn({ userId }, context) {
    requireSelf(context, userId);
    return { amount: await deps.checkIns.checkIn(userId) };
  },
});
