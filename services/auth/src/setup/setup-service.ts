import { ROLE } from "@turnpike/contract/codes";
import { QUOTA_PER_UNIT_DEFAULT } from "@turnpike/contract/pricing/dollars";
import { AppError } from "@turnpike/shared/errors/app-error";
import { inTransaction, allocateIds } from "@turnpike/shared/mongo/mongo";
import type { Connection } from "mongoose";
import type { AccountOpenings } from "../account-openings/account-openings.ts";
import type { OptionWriter } from "../options/option-writer.ts";
import { hashPassword } from "../users/password-hash.ts";
import { newUser } from "../users/new-user.ts";
import { parsePassword, parseUsername } from "../users/user-input.ts";
import type { UserDoc } from "../users/user-model.ts";
import type { UserStore } from "../users/user-store.ts";
import type { SetupStore } from "./setup-store.ts";

/** Quota units that the root user starts with: 200 dollars at the default rate. */
const ROOT_CREDIT = 200 * QUOTA_PER_UNIT_DEFAULT;

export type SetupForm = {
  readonly username: string;
  readonly password: string;
  readonly confirmPassword: string;
  readonly selfUseModeEnabled: boolean;
  readonly demoSiteEnabled: boolean;
};
export type SetupService = ReturnType<typeof createSetupService>;

/** Parses the form's root user; throws the error of the first invalid field. */
export function readRootForm(form: SetupForm): { username: string; password: string } {
  if (form.username.trim() === "") throw new AppError("username_required", "the user name is empty");
  const username = parseUsername(form.username);
  const password = parsePassword(form.password);
  if (password !== form.confirmPassword) throw new AppError("passwords_differ", "the passwords differ");
  return { username, password };
}

/** The document of a new root user. */
async function newRootUser(
  { mongo, nowSeconds }: { mongo: Connection; nowSeconds: () => number },
  { username, password }: { username: string; password: string },
): Promise<UserDoc> {
  const passwordHash = await hashPassword(password);
  const about = { username, displayName: "Root User", passwordHash, mustChangePassword: false, role: ROLE.root };
  return newUser(await allocateIds(mongo, "users"), about, nowSeconds());
}

/** The first-run setup, done exactly once. */
export function createSetupService(deps: {
  mongo: Connection;
  store: SetupStore;
  users: UserStore;
  openings: AccountOpenings;
  options: Pick<OptionWriter, "setWithin" | "announce">;
  nowSeconds: () => number;
}) {
  const { mongo, store, users, openings, options } = deps;

  /**
   * Marks the setup done, stores the new root user if there is one, and stores the mode if requested: all or nothing.
   */
  const finish = async (
    root: UserDoc | undefined,
    mode?: Pick<SetupForm, "selfUseModeEnabled" | "demoSiteEnabled">,
  ) => {
    const values = mode && [
      { key: "SelfUseModeEnabled" as const, value: String(mode.selfUseModeEnabled) },
      { key: "DemoSiteEnabled" as const, value: String(mode.demoSiteEnabled) },
    ];
    const revision = await inTransaction(mongo, async (session) => {
      await store.markDone(session);
      if (root) {
        await users.insert(root, session);
        await openings.add({ userId: root._id, credit: ROOT_CREDIT, reason: "系统初始化赠送" }, session);
      }
      return values && options.setWithin(session, values);
    });
    if (revision !== undefined && values)
      options.announce(
        revision,
        values.map(({ key }) => key),
      );
    if (root) await openings.openNow(root._id);
  };
  return {
    async state(): Promise<{ done: boolean; rootExists: boolean }> {
      const [done, root] = await Promise.all([store.isDone(), users.findRoot()]);
      return { done, rootExists: root !== undefined };
    },
    /**
     * Creates the root user (unless there is one) and stores the mode; returns root's id. Throws setup_done, or the
     * error of an invalid field.
     */
    async run(form: SetupForm): Promise<number> {
      if (await store.isDone()) throw new AppError("setup_done", "the setup has been done");
      const existing = await users.findRoot();
      const root = existing ? undefined : await newRootUser(deps, readRootForm(form));
      await finish(root, form);
      return (existing ?? root)?._id ?? 0;
    },
    /**
     * At start: creates the root user from the environment when none exists; an existing root user means that setup is
     * done.
     */
    async runFromEnvironment(root: { username: string; password: string } | undefined): Promise<void> {
      if (await store.isDone()) return;
      const existing = await users.findRoot();
      if (!existing && !root) return;
      try {
        await finish(existing || !root ? undefined : await newRootUser(deps, root));
      } catch (error) {
        // Another replica won.
        if (!(error instanceof AppError && error.code === "setup_done")) throw error;
      }
    },
  };
}
