import type { SecretBox } from "@turnpike/shared/crypto/secret-box";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { AttemptLimits } from "../limits/attempt-limits.ts";
import { SECOND_FACTOR_OF_USER } from "../limits/limit-rules.ts";
import { newRecoveryCodes, readRecoveryCode, findTotpStep } from "./totp.ts";
import type { TwoFactorStore } from "./two-factor-store.ts";

export type TwoFactorCodes = ReturnType<typeof createTwoFactorCodes>;

/** Checks authenticator and recovery codes, each usable once, with a limit on attempts; creates recovery codes. */
export function createTwoFactorCodes(deps: {
  store: TwoFactorStore;
  secretBox: SecretBox;
  lookupHash: (secret: string) => string;
  limits: AttemptLimits;
  nowMs: () => number;
}) {
  const { store, secretBox, lookupHash, limits, nowMs } = deps;

  const hashRecoveryCode = (userId: number, code: string): string => lookupHash(`recovery\n${userId}\n${code}`);
  const usesTotp = async (userId: number, secretBoxText: string, code: string): Promise<boolean> => {
    const step = findTotpStep(secretBox.open(secretBoxText), code, nowMs());
    return step !== undefined && store.useStep(userId, step);
  };
  const usesRecovery = async (userId: number, typed: string): Promise<boolean> => {
    const code = readRecoveryCode(typed);
    return code !== undefined && store.useRecovery(userId, hashRecoveryCode(userId, code));
  };
  /** Counts the attempt before the code is checked and removes it when the code was right. */
  const counted = async (userId: number, isRight: () => Promise<boolean>): Promise<void> => {
    const attempt = await limits.take(SECOND_FACTOR_OF_USER, String(userId));
    if (!(await isRight())) throw new AppError("two_factor_code_wrong", "the code is wrong");
    await attempt.undo();
  };
  const newCodes = (userId: number) => {
    const codes = newRecoveryCodes();
    return { codes, hashes: codes.map((code) => hashRecoveryCode(userId, code)) };
  };
  return { usesTotp, usesRecovery, counted, newCodes };
}
