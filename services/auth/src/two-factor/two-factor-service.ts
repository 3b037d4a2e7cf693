import type { SecretBox } from "@turnpike/shared/crypto/secret-box";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { AttemptLimits } from "../limits/attempt-limits.ts";
import type { OptionReader } from "../options/option-reader.ts";
import { newTotpSecret, otpauthUrl, findTotpStep } from "./totp.ts";
import { createTwoFactorCodes, type TwoFactorCodes } from "./two-factor-codes.ts";
import type { TwoFactorStore } from "./two-factor-store.ts";

export type TwoFactorService = ReturnType<typeof createTwoFactorService>;

type Deps = {
  readonly store: TwoFactorStore;
  readonly secretBox: SecretBox;
  readonly lookupHash: (secret: string) => string;
  readonly limits: AttemptLimits;
  readonly options: OptionReader;
  readonly nowMs: () => number;
};

const isEnabled = (factor: { readonly enabledAtSeconds: number } | undefined): boolean =>
  (factor?.enabledAtSeconds ?? 0) !== 0;

/** Turning the second factor on: a secret is shown, then activated by one of its codes. */
function createTwoFactorSetup(deps: Deps, { counted, newCodes }: TwoFactorCodes) {
  const { store, secretBox, options, nowMs } = deps;
  return {
    /** Creates a secret to show, which is not active yet; throws two_factor_already_on. */
    async setUp(userId: number, username: string) {
      if (isEnabled(await store.find(userId))) throw new AppError("two_factor_already_on", "the second factor is on");
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
  };
}

/** The second factor: authenticator codes (TOTP), and recovery codes for a lost authenticator. */
export function createTwoFactorService(deps: Deps) {
  const { store } = deps;
  const codes = createTwoFactorCodes(deps);
  const { usesTotp, usesRecovery, counted, newCodes } = codes;
  const findEnabled = async (userId: number) => {
    const factor = await store.find(userId);
    if (!factor || !isEnabled(factor)) throw new AppError("two_factor_not_set_up", "the second factor is off");
    return factor;
  };
  return {
    isOn: async (userId: number): Promise<boolean> => isEnabled(await store.find(userId)),
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
    ...createTwoFactorSetup(deps, codes),
    /** Replaces the recovery codes; requires an authenticator code. */
    async replaceRecoveryCodes(userId: number, code: string): Promise<string[]> {
      const factor = await findEnabled(userId);
      await counted(userId, () => usesTotp(userId, factor.secretBox, code));
      const recovery = newCodes(userId);
      await store.replaceRecovery(userId, recovery.hashes);
      return recovery.codes;
    },
    /** Turns the second factor off; the caller checks permission. */
    remove: store.remove,
  };
}
