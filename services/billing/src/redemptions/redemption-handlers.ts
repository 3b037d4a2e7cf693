import type { Redemption, RedemptionServiceServer } from "@turnpike/proto/billing/v1/redemption_service";
import type { Handlers } from "@turnpike/shared/grpc/server";
import { allowSelf, requireAdmin } from "../edge/caller.ts";
import type { RedemptionDoc } from "../store/documents.ts";
import type { Redeem } from "./redeem.ts";
import type { RedemptionService } from "./redemption-service.ts";

const toRedemption = ({ _id, createdAt, redeemedAt, ...code }: RedemptionDoc): Redemption => ({
  id: _id,
  ...code,
  createdTime: createdAt,
  redeemedTime: redeemedAt,
});

/** The rpcs over codes: admins keep them, people redeem them. */
export const redemptionHandlers = (deps: {
  codes: RedemptionService;
  redeem: Redeem;
}): Handlers<RedemptionServiceServer> => ({
  async createRedemptions(request, context) {
    return { keys: await deps.codes.create(requireAdmin(context), request) };
  },
  async listRedemptions(request, context) {
    requireAdmin(context);
    const { items, total } = await deps.codes.list(request);
    return { items: items.map(toRedemption), total };
  },
  async updateRedemption(request, context) {
    return { redemption: toRedemption(await deps.codes.update(requireAdmin(context), request)) };
  },
  async deleteRedemption({ id }, context) {
    await deps.codes.remove(requireAdmin(context), id);
    return {};
  },
  async redeem(request, context) {
    allowSelf(context, request.userId);
    return deps.redeem(request);
  },
});
