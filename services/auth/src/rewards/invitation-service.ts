import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { AppError } from "@turnpike/shared/errors/app-error";
import { newRequestId } from "@turnpike/shared/telemetry/request-id";
import { inTransaction } from "@turnpike/shared/mongo/mongo";
import type { ClientSession, Connection } from "mongoose";
import type { CreditOutbox } from "./credit-outbox.ts";
import { createKeyedMutex } from "@turnpike/shared/concurrency/keyed-mutex";
import type { OptionReader } from "../options/option-reader.ts";
import { isInGoodStanding } from "../users/user.ts";
import type { UserStore } from "../users/user-store.ts";

export type Invitation = { readonly inviteeId: number; readonly inviterId: number };
export type InvitationService = ReturnType<typeof createInvitationService>;

const CONCURRENT_TRANSFERS_MAX = 16;
const WAITING_TRANSFERS_MAX = 1_000;

/** The reference of an invitee's credit: one per invited user. */
export const inviteeReference = (inviteeId: number): string => `invitation:${inviteeId}`;

function checkTransferAmount(amount: number, options: OptionsInForce): void {
  const min = options.number("MinAffTransfer");
  if (!Number.isSafeInteger(amount) || amount < min)
    throw new AppError("aff_transfer_too_small", `${amount} is below ${min}`, { params: { min: String(min) } });
}

/** Invitations: who invited whom, the rewards, and transfers of earnings to the balance. */
export function createInvitationService(deps: {
  mongo: Connection;
  users: UserStore;
  credits: Pick<CreditOutbox, "add" | "sendNow">;
  options: OptionReader;
}) {
  const { mongo, users, credits, options } = deps;
  // Concurrent transfers of one user would only make MongoDB restart each other's transactions.
  const runExclusive = createKeyedMutex({
    concurrencyMax: CONCURRENT_TRANSFERS_MAX,
    waitingMax: WAITING_TRANSFERS_MAX,
  });

  const takeEarnings = async (userId: number, amount: number, session: ClientSession): Promise<number> => {
    const left = await users.takeEarnings(userId, amount, session);
    if (left !== undefined) return left;
    const user = await users.findById(userId, session);
    if (!user || !isInGoodStanding(user)) throw new AppError("user_not_found", `no user ${userId}`);
    throw new AppError("aff_quota_insufficient", "the earnings are not enough", {
      params: { quota: String(user.affQuota ?? 0) },
    });
  };
  return {
    /**
     * The owner of an invitation code; 0 for an unknown code, for a banned or deregistered owner, and while AffEnabled
     * is off.
     */
    async findInviter(affCode: string): Promise<number> {
      const code = affCode.trim();
      if (code === "" || !(await options.inForce()).flag("AffEnabled")) return 0;
      const inviter = await users.findByAffCode(code);
      return inviter && isInGoodStanding(inviter) ? inviter._id : 0;
    },
    /**
     * Records an invitation in the transaction that creates the invitee: the inviter's count and earnings, the
     * invitee's credit. After the commit, `sendNow` sends the credit to billing; otherwise the outbox loop does.
     */
    async settle({ inviteeId, inviterId }: Invitation, session: ClientSession): Promise<void> {
      if (inviterId === 0) return;
      const inForce = await options.inForce();
      await users.addInvitation(inviterId, inForce.number("QuotaForInviter"), session);
      const amount = inForce.number("QuotaForInvitee");
      if (amount <= 0) return;
      const reference = inviteeReference(inviteeId);
      await credits.add(
        { reference, userId: inviteeId, kind: "invitation", amount, reason: "使用邀请码赠送" },
        session,
      );
    },
    /** Tries to send an invitee's credit to billing at once; never throws. */
    sendNow: (inviteeId: number): Promise<void> => credits.sendNow(inviteeReference(inviteeId)),
    /**
     * Moves earnings to the balance, all or nothing, and returns the remaining earnings; throws aff_transfer_too_small
     * or aff_quota_insufficient. When this returns, the credit is durably queued and usually already applied.
     */
    async transfer(userId: number, amount: number): Promise<number> {
      checkTransferAmount(amount, await options.inForce());
      const reference = `transfer:${newRequestId()}`;
      const move = (): Promise<number> =>
        inTransaction(mongo, async (session) => {
          const remaining = await takeEarnings(userId, amount, session);
          await credits.add({ reference, userId, kind: "transfer", amount, reason: "邀请额度转移到余额" }, session);
          return remaining;
        });
      const left = await runExclusive(String(userId), move);
      await credits.sendNow(reference);
      return left;
    },
  };
}
