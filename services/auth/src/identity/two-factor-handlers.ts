import type { IdentityServiceServer } from "@turnpike/proto/auth/v1/identity_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import { requireAdmin, requireSelf } from "@turnpike/shared/grpc/caller";
import type { Actor } from "@turnpike/shared/grpc/context";
import type { Handlers } from "@turnpike/shared/grpc/server";
import { inTransaction } from "@turnpike/shared/mongo/mongo";
import type { Connection } from "mongoose";
import type { AuditLog } from "../audit/audit-log.ts";
import type { SignInFinish } from "../sign-in/sign-in-finish.ts";
import { checkMayActOn } from "../users/user-rules.ts";
import type { UserStore } from "../users/user-store.ts";
import type { TwoFactorService } from "../two-factor/two-factor-service.ts";

type Rpcs =
  | "finishSecondFactor"
  | "getTwoFactor"
  | "setUpTwoFactor"
  | "enableTwoFactor"
  | "disableTwoFactor"
  | "replaceRecoveryCodes"
  | "clearTwoFactor";
type Deps = {
  readonly mongo: Connection;
  readonly users: UserStore;
  readonly audit: AuditLog;
  readonly twoFactor: TwoFactorService;
  readonly finish: SignInFinish;
};

/** An admin turns off a user's second factor; an audit row records it. */
async function clearFor({ mongo, users, audit, twoFactor }: Deps, actor: Actor, userId: number): Promise<void> {
  const user = await users.findById(userId);
  if (!user || user.deletedAtSeconds !== 0) throw new AppError("user_not_found", `no user ${userId}`);
  checkMayActOn(actor.role, user.role);
  if (!(await twoFactor.isOn(userId))) throw new AppError("two_factor_not_set_up", "the second factor is off");
  await inTransaction(mongo, async (session) => {
    await twoFactor.remove(userId, session);
    const texts = { before: `{"two_factor":true}`, after: `{"two_factor":false}` };
    await audit.record({ actor, action: "user.clear_two_factor", target: `user:${userId}`, ...texts }, session);
  });
}

/** RPCs over the second factor. */
export const twoFactorHandlers = (deps: Deps): Pick<Handlers<IdentityServiceServer>, Rpcs> => ({
  async finishSecondFactor({ pendingId, code, visitor }) {
    return { signedIn: await deps.finish.finishWaiting(pendingId, code, visitor) };
  },
  async getTwoFactor({ userId }, context) {
    requireSelf(context, userId);
    return deps.twoFactor.status(userId);
  },
  async setUpTwoFactor({ userId }, context) {
    return deps.twoFactor.setUp(userId, requireSelf(context, userId).username);
  },
  async enableTwoFactor({ userId, code }, context) {
    requireSelf(context, userId);
    return { recoveryCodes: await deps.twoFactor.enable(userId, code) };
  },
  async disableTwoFactor({ userId, code }, context) {
    requireSelf(context, userId);
    await deps.twoFactor.pass(userId, code);
    await deps.twoFactor.remove(userId);
    return {};
  },
  async replaceRecoveryCodes({ userId, code }, context) {
    requireSelf(context, userId);
    return { recoveryCodes: await deps.twoFactor.replaceRecoveryCodes(userId, code) };
  },
  async clearTwoFactor({ userId }, context) {
    await clearFor(deps, requireAdmin(context), userId);
    return {};
  },
});
