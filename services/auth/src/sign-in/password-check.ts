import type { OptionReader } from "../options/option-reader.ts";
import { PASSWORD_STORED_BYTES_MAX } from "../users/user-input.ts";
import type { SignInFailureLimits } from "./failure-limits.ts";
import { hashPassword, verifyPassword } from "../users/password-hash.ts";
import { createKeyedMutex } from "@turnpike/shared/concurrency/keyed-mutex";

export type PasswordTry = {
  /** The key attempts are counted under: the user's id, or the typed name when there is no such user. */
  readonly account: string;
  readonly address: string;
  readonly password: string;
  /** Undefined or empty when there is no such user or password: the check takes equally long and fails. */
  readonly passwordHash: string | undefined;
  /** False when the user may not sign in; counts as a failure. */
  readonly isWelcome: boolean;
};
export type PasswordCheck = Awaited<ReturnType<typeof createPasswordCheck>>;

/** The number of libuv threads. */
const CONCURRENCY_MAX = 4;
const WAITING_MAX = 500;

/** Checks passwords within the failure limits, in the same time whether the user exists or not. */
export async function createPasswordCheck(deps: { limits: SignInFailureLimits; options: OptionReader }) {
  const { limits, options } = deps;
  const runExclusive = createKeyedMutex({ concurrencyMax: CONCURRENCY_MAX, waitingMax: WAITING_MAX });
  const dummyHash = await hashPassword("the password of no user");

  const isRight = async ({ password, passwordHash, isWelcome }: PasswordTry): Promise<boolean> => {
    const isShortEnough = Buffer.byteLength(password) <= PASSWORD_STORED_BYTES_MAX;
    const fits = await verifyPassword(passwordHash || dummyHash, isShortEnough ? password : "");
    return fits && isShortEnough && Boolean(passwordHash) && isWelcome;
  };
  return {
    /**
     * Whether the password is right; throws login_rate_limited after too many failures, unavailable while Redis is
     * down.
     */
    async passes(attempt: PasswordTry): Promise<boolean> {
      const inForce = await options.inForce();
      const limit = {
        failuresMax: inForce.number("LoginFailureLimit"),
        windowSeconds: inForce.number("LoginFailureWindowMinutes") * 60,
      };
      return runExclusive(attempt.account, async () => {
        const counted = await limits.count(attempt.account, attempt.address, limit);
        const passes = await isRight(attempt);
        if (passes) await counted.undo();
        return passes;
      });
    },
  };
}
