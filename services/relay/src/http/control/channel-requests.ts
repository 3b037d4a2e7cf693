import { AppError } from "@turnpike/shared/errors/app-error";
import type { AccessTokens } from "../../pipeline/prepare/access-tokens.ts";
import type { Target } from "../../providers/contract/target.ts";
import type { OnCancel } from "../../upstream/upstream-call.ts";

/** Cancels a request that takes longer. */
export const cancelAfter =
  (timeoutMs: number): OnCancel =>
  (cancel) =>
    void setTimeout(() => cancel(new Error("the response took too long")), timeoutMs).unref();

export const unsupportedType = (type: number): AppError =>
  new AppError("channel_type_unsupported", "no provider", { params: { type: String(type) } });

/** The target with an access token, for providers that exchange the key for one. */
export async function withAccessToken(accessTokens: AccessTokens, target: Target): Promise<Target> {
  const accessToken = await accessTokens.forTarget(target);
  return accessToken === undefined ? target : { ...target, accessToken };
}
