import type { Redemption, RedemptionServiceServer } from "@turnpike/proto/billing/v1/redemption_service";
import type { Handlers } from "@turnpike/shared/grpc/server";
import { allowSelf, requireAdmin } from "@turnpike/shared/grpc/caller";
import type { RedemptionDoc } from "../store/payment-documents.ts";
import type { RedemptionBulk } from "./redemption-bulk.ts";
import type { RedeemCode } from "./code-redemption.ts";
import type { RedemptionService } from "./redemption-service.ts";

const toRedemption = ({ _id, createdAt, redeemedAt, ...code }: RedemptionDoc): Redemption => ({
  id: _id,
  ...code,
  createdTime: createdAt,
  redeemedTime: redeemedAt,
});

/** RPCs over codes: admins manage them, users redeem them. */
export const redemptionHandlers = (deps: {
  codes: RedemptionService;
  bulk: RedemptionBulk;
  redeem: RedeemCode;
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
  async disableRedemptions({ ids }, context) {
    return { count: await deps.bulk.disable(requireAdmin(context), ids) };
  },
  async deleteDisabledRedemptions(_, context) {
    return { count: await deps.bulk.removeDisabled(requireAdmin(context)) };
  },
  async countRedemptionsByName({ name }, context) {
    requireAdmin(context);
    return { count: await deps.bulk.countByName(name) };
  },
  async deleteRedemptionsByName({ name }, context) {
    return { count: await deps.bulk.removeByName(requireAdmin(context), name) };
  },
  async redeem(request, context) {
    allowSelf(context, request.userId);
    return deps.redeem(request);
  },
});
