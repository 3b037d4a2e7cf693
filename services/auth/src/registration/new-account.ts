import { inTransaction, allocateIds } from "@turnpike/shared/mongo/mongo";
import type { Connection } from "mongoose";
import type { AccountOpenings } from "../account-openings/account-openings.ts";
import type { InvitationService } from "../rewards/invitation-service.ts";
import type { OptionReader } from "../options/option-reader.ts";
import { newUser } from "../users/new-user.ts";
import type { UserDoc } from "../users/user-model.ts";
import type { UserStore } from "../users/user-store.ts";

type About = Parameters<typeof newUser>[1];
/** A registering user; `about` may use the new user's number. */
export type NewAccount = {
  readonly about: (id: number) => About & Partial<UserDoc>;
  readonly affCode: string;
};
export type NewAccounts = ReturnType<typeof createNewAccounts>;

/** A username has at most 20 characters, a token's name 30. */
const firstTokenName = (username: string): string => `${username}的初始令牌`;

/**
 * The only path from registration to a user: with an account in billing, the first credit and the invitation rewards.
 */
export function createNewAccounts(deps: {
  mongo: Connection;
  users: UserStore;
  openings: AccountOpenings;
  invitations: InvitationService;
  options: OptionReader;
  /** Whether new users get a token. */
  createsFirstToken: boolean;
  nowSeconds: () => number;
}) {
  const { mongo, users, openings, invitations, options, nowSeconds } = deps;
  return {
    /**
     * Creates the user and records everything in one transaction; throws username_taken, email_taken or
     * oauth_already_bound.
     */
    async make({ about, affCode }: NewAccount): Promise<UserDoc> {
      const inviterId = await invitations.findInviter(affCode);
      const credit = (await options.inForce()).number("QuotaForNewUser");
      const id = await allocateIds(mongo, "users");
      const known = about(id);
      const user: UserDoc = { ...newUser(id, known, nowSeconds()), ...known, inviterId };
      await inTransaction(mongo, async (session) => {
        await users.insert(user, session);
        const firstToken = deps.createsFirstToken ? firstTokenName(user.username) : "";
        await openings.add({ userId: id, credit, reason: "新用户注册赠送", firstToken }, session);
        await invitations.settle({ inviteeId: id, inviterId }, session);
      });
      await openings.openNow(id);
      if (inviterId !== 0) await invitations.sendNow(id);
      return user;
    },
  };
}
