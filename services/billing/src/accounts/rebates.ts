import { LOG_TYPE } from "@turnpike/contract/codes";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { SCALE, toScaled } from "@turnpike/contract/pricing/decimal";
import type { ClientSession } from "mongoose";
import type { Inviter } from "../auth-client/users.ts";
import type { EventLog } from "../logs/event-log.ts";
import type { CreditAccount } from "./account-credit.ts";
import { formatQuota } from "./log-amounts.ts";

/** The rebate an inviter gets when an invitee pays or redeems. */
export type Rebate = { readonly inviterId: number; readonly inviterName: string; readonly quota: number };

type Deps = {
  readonly credit: CreditAccount;
  readonly eventLog: EventLog;
  readonly options: () => OptionsInForce;
  /** The user's inviter, undefined for none. Throws `unavailable` when it cannot be read. */
  readonly findInviter: (userId: number) => Promise<Inviter | undefined>;
};

export type Rebates = ReturnType<typeof createRebates>;

/** The share of an amount, in whole units, rounded down. */
export const getPercentage = (quota: number, percentage: number): number =>
  Number((BigInt(quota) * toScaled(percentage)) / (SCALE * 100n));

/** The inviter's rebate on what invitees pay or redeem, where the site grants one. */
export function createRebates({ credit, eventLog, options, findInviter }: Deps) {
  const isOn = (): boolean => options().flag("RebateEnabled") && options().number("RebatePercentage") > 0;
  return {
    /** The recipient; must be read before the transaction because it requires a call to auth. */
    findInviter: async (userId: number): Promise<Inviter | undefined> => (isOn() ? findInviter(userId) : undefined),
    /** Credits the rebate within the transaction of its cause; returns the credited amount, 0 for none. */
    async give(
      cause: { id: string; quota: number; payerName: string; inviter: Inviter | undefined; rowId: number },
      session: ClientSession,
    ): Promise<number> {
      const { inviter, quota, payerName } = cause;
      if (!inviter || !isOn()) return 0;
      const amount = getPercentage(quota, options().number("RebatePercentage"));
      if (amount < 1) return 0;
      const reason = `邀请的用户 ${payerName} 充值返利`;
      const id = `rebate:${cause.id}`;
      await credit({ id, userId: inviter.id, kind: "rebate", amount, reason }, session);
      const content = `${reason} ${formatQuota(amount, options())}`;
      const of = { type: LOG_TYPE.system, userId: inviter.id, username: inviter.username, clientIp: "" };
      await eventLog.write(cause.rowId, { ...of, quota: amount, content }, session);
      return amount;
    },
  };
}
