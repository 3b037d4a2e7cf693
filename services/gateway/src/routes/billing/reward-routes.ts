import { successSchema } from "@turnpike/contract/api/common";
import { CheckInResult, CheckInStatus } from "@turnpike/contract/api/check-in";
import { AffTransferBody, AffCode, AffTransferResult } from "@turnpike/contract/api/affiliate";
import { TopUpBody, TopUpResult } from "@turnpike/contract/api/user";
import { AppError } from "@turnpike/shared/errors/app-error";
import { Router } from "express";
import { ok } from "../../http/api-response.ts";
import type { RoutesDeps } from "../routes-deps.ts";

const SPECS = {
  readInvitationCode: { access: "user", summary: "Read the own invitation code", returns: successSchema(AffCode) },
  transferEarnings: {
    access: "user",
    summary: "Move earnings of invitations to the balance",
    returns: successSchema(AffTransferResult),
    body: AffTransferBody,
  },
  readCheckIn: {
    access: "user",
    summary: "Read whether today's reward is claimed",
    returns: successSchema(CheckInStatus),
  },
  checkIn: { access: "user", summary: "Claim today's reward", returns: successSchema(CheckInResult) },
  redeemCode: { access: "user", summary: "Redeem a code", returns: successSchema(TopUpResult), body: TopUpBody },
} as const;

/** Credits that users earn or redeem: invitations, check-ins, codes. Mounted at /api/user. */
export function rewardRoutes({ services: { redemptions, self }, route }: RoutesDeps): Router {
  return Router()
    .get(
      "/aff",
      route(SPECS.readInvitationCode, (_, { caller }) => ok(caller.user.affCode)),
    )
    .post(
      "/aff_transfer",
      route(SPECS.transferEarnings, async ({ body }, { caller, call }) => {
        const moved = await self.transferEarnings({ userId: caller.user.id, amount: body.quota }, call);
        return ok({ quota: moved.amount, aff_quota: moved.affQuota });
      }),
    )
    .get(
      "/check_in_status",
      route(SPECS.readCheckIn, async (_, { caller, call }) => {
        const { enabled, checkedInToday, day, amount } = await self.getCheckInStatus({ userId: caller.user.id }, call);
        return ok({
          can_check_in: !checkedInToday,
          enabled,
          checked_in_today: checkedInToday,
          day,
          quota: amount,
        });
      }),
    )
    .post(
      "/check_in",
      route(SPECS.checkIn, async (_, { caller, call }) =>
        ok({ quota: (await self.checkIn({ userId: caller.user.id }, call)).amount }),
      ),
    )
    .post(
      "/topup",
      route(SPECS.redeemCode, async ({ body }, { caller, call, facts }) => {
        if (body.key === "") throw new AppError("redemption_required", "no code");
        const { id: userId, username } = caller.user;
        const redeemed = await redemptions.redeem({ userId, username, key: body.key, address: facts.address }, call);
        return ok({ quota: redeemed.quota, is_gift: redeemed.isGift });
      }),
    );
}
