import type { SecretBox } from "@turnpike/shared/crypto/secret-box";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { AttemptLimits } from "../limits/attempt-limits.ts";
import { SECOND_FACTOR_OF_USER } from "../limits/limit-rules.ts";
import type { OptionReader } from "../options/option-reader.ts";
import { newRecoveryCodes, newTotpSecret, otpauthUrl, readRecoveryCode, findTotpStep } from "./totp.ts";
import type { TwoFactorStore } from "./two-factor-store.ts";

export type TwoFactorService = ReturnType<typeof createTwoFactorService>;

const codeWrong = (): AppError => new AppError("two_factor_code_wrong", "the code is wrong");

/** The second factor: authenticator codes (TOTP), and recovery codes for a lost authenticator. */
export function createTwoFactorService(deps: {
  store: TwoFactorStore;
  secretBox: SecretBox;
  lookupHash: (secret: string) => string;
  limits: AttemptLimits;
  options: OptionReader;
  nowMs: () => number;
}) {
  const { store, secretBox, lookupHash, limits, options, nowMs } = deps;

  const hashOf = (userId: number, code: string): string => lookupHash(`recovery\n${userId}\n${code}`);
  const usesTotp = async (userId: number, secretBoxText: string, code: string): Promise<boolean> => {
    const step = findTotpStep(secretBox.open(secretBoxText), code, nowMs());
    return step !== undefined && store.useStep(userId, step);
  };
  const usesRecovery = async (userId: number, typed: string): Promise<boolean> => {
    const code = readRecoveryCode(typed);
    return code !== undefined && store.useRecovery(userId, hashOf(userId, code));
  };
  /** Counts the attempt before the code is checked and removes it when the code was right. */
  const counted = async (userId: number, isRight: () => Promise<boolean>): Promise<void> => {
    const attempt = await limits.take(SECOND_FACTOR_OF_USER, String(userId));
    if (!(await isRight())) throw codeWrong();
    await attempt.undo();
  };
  const findEnabled = async (userId: number) => {
    const factor = await store.find(userId);
    if (!factor || factor.enabledAtSeconds === 0)
      throw new AppError("two_factor_not_set_up", "the second factor is off");
    return factor;
  };
  const newCodes = (userId: number) => {
    const codes = newRecoveryCodes();
    return { codes, hashes: codes.map((code) => hashOf(userId, code)) };
  };
  return {
    async isOn(userId: number): Promise<boolean> {
      return ((await store.find(userId))?.enabledAtSeconds ?? 0) !== 0;
    },
    async status(userId: number) {
      const factor = await store.find(userId);
      const enabledAtSeconds = factor?.enabledAtSeconds ?? 0;
      const recoveryCodesLeft = enabledAtSeconds === 0 ? 0 : (factor?.recoveryHashes.length ?? 0);
      return { enabled: enabledAtSeconds !== 0, recoveryCodesLeft, enabledAtSeconds };
    },
    /** Consumes one code; throws two_factor_code_wrong, rate_limited, two_factor_not_set_up. */
    async pass(userId: number, code: string): Promise<void> {
      const factor = await findEnabled(userId);
      await counted(
        userId,
        async () => (await usesTotp(userId, factor.secretBox, code)) || (await usesRecovery(userId, code)),
      );
    },
    /** Creates a secret to show, which is not active yet; throws two_factor_already_on. */
    async setUp(userId: number, username: string) {
      if (((await store.find(userId))?.enabledAtSeconds ?? 0) !== 0)
        throw new AppError("two_factor_already_on", "the second factor is on");
      const secret = newTotpSecret();
      await store.offer(userId, secretBox.seal(secret));
      const issuer = (await options.inForce()).text("SystemName");
      return { secret, otpauthUrl: otpauthUrl(secret, { issuer, username }) };
    },
    /**
     * Activates the shown secret and returns the recovery codes; throws two_factor_not_set_up, two_factor_code_wrong,
     * rate_limited.
     */
    async enable(userId: number, code: string): Promise<string[]> {
      const factor = await store.find(userId);
      if (!factor || factor.newSecretBox === "")
        throw new AppError("two_factor_not_set_up", "no secret has been shown");
      const { newSecretBox } = factor;
      const { codes, hashes } = newCodes(userId);
      await counted(userId, async () => {
        const step = findTotpStep(secretBox.open(newSecretBox), code, nowMs());
        if (step === undefined) return false;
        const enabledAtSeconds = Math.floor(nowMs() / 1000);
        return store.enable(userId, newSecretBox, { enabledAtSeconds, lastStep: step, recoveryHashes: hashes });
      });
      return codes;
    },
    /** Replaces the recovery codes; requires an authenticator code. */
    async replaceRecoveryCodes(userId: number, code: string): Promise<string[]> {
      const factor = await findEnabled(userId);
      await counted(userId, () => usesTotp(userId, factor.secretBox, code));
      const { codes, hashes } = newCodes(userId);
      await store.replaceRecovery(userId, hashes);
      return codes;
    },
    /** Turns the second factor off; the caller checks permission. */
    remove: store.remove,
  };
}
