import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { Token } from "@turnpike/proto/billing/v1/token_service";
import type { SecretBox } from "@turnpike/shared/crypto/secret-box";
import type { TokenDoc } from "../store/account-documents.ts";
import { getEffectiveStatus } from "./token-status.ts";

/** A token as the service returns it; the key only where it is revealed. */
export const toToken = (doc: TokenDoc, key: string): Token => ({
  id: doc._id,
  userId: doc.userId,
  key,
  name: doc.name,
  status: doc.status,
  createdTime: doc.createdAt,
  accessedTime: doc.accessedAt,
  expiredTime: doc.expiresAt,
  remainQuota: doc.budget - doc.spent,
  unlimitedQuota: doc.unlimited,
  usedQuota: doc.spent,
  modelLimitsEnabled: doc.modelLimitsEnabled,
  modelLimits: doc.modelLimits,
  allowIps: doc.allowIps,
  group: doc.group,
  rateLimitEnabled: doc.rateLimitEnabled,
  rateLimitPeriod: doc.rateLimitPeriod,
  rateLimitCount: doc.rateLimitCount,
  rateLimitSuccess: doc.rateLimitSuccess,
  budgetPeriod: doc.budgetPeriod ?? "",
  periodQuota: doc.periodQuota ?? 0,
  budgetResetsAt: doc.periodEndsAt ?? 0,
  tokensPerMinute: doc.tokensPerMinute ?? 0,
  concurrentCalls: doc.concurrentCalls ?? 0,
  responseCache: doc.responseCache ?? false,
  modelAliases: doc.modelAliases ?? "",
  modelFallbacks: doc.modelFallbacks ?? "",
  fallbackCauses: doc.fallbackCauses ?? "",
});

/** A token as its user sees it: with its key unless keys are hidden, and the status that applies now. */
export const createTokenView =
  (deps: { secretBox: SecretBox; options: () => OptionsInForce; nowSeconds: () => number }) =>
  (token: TokenDoc): Token => ({
    ...toToken(
      token,
      deps.options().flag("TokenKeysHidden") || token.keyBox === "" ? "" : deps.secretBox.open(token.keyBox),
    ),
    status: getEffectiveStatus(token, deps.nowSeconds()),
  });
