import { vi } from "vitest";
import type { Token } from "@turnpike/proto/billing/v1/token_service";
import { createLogger } from "@turnpike/shared/log/log";
import type { Principal } from "../core/call/caller.ts";
import { createAdmission } from "./admission.ts";
import { createCallerDirectory } from "./caller-directory.ts";
import type { ResolvedOidcToken } from "./caller-lookups.ts";

export const KEY = "k".repeat(48);
/** A token without limits, of the user 3. */
export const token = (over: Partial<Token> = {}): Token => ({
  id: 7,
  userId: 3,
  key: "",
  name: "t",
  status: 1,
  createdTime: 0,
  accessedTime: 0,
  expiredTime: -1,
  remainQuota: 100,
  unlimitedQuota: false,
  usedQuota: 0,
  modelLimitsEnabled: false,
  modelLimits: "",
  allowIps: "",
  group: "",
  rateLimitEnabled: false,
  rateLimitPeriod: 60,
  rateLimitCount: 0,
  rateLimitSuccess: 0,
  budgetPeriod: "",
  periodQuota: 0,
  budgetResetsAt: 0,
  tokensPerMinute: 0,
  concurrentCalls: 0,
  ...over,
});
const principal = (over: Partial<Principal> = {}): Principal => ({
  userId: 3,
  username: "ann",
  group: "default",
  role: 1,
  status: 1,
  acceptUnsetModelRatioModel: false,
  showIpInLogs: false,
  quotaWarningThreshold: 0,
  ...over,
});

/** A directory and an admission over it, without waiting; the clock stands until `pass`. */
export function directoryWith(
  over: {
    token?: Partial<Token>;
    principal?: Partial<Principal>;
    resolveToken?: (key: string) => Promise<Token>;
    resolveOidcToken?: (oidcToken: string) => Promise<ResolvedOidcToken>;
  } = {},
) {
  let nowMs = 1_000_000;
  const resolveToken = vi.fn<(key: string) => Promise<Token>>(
    over.resolveToken ?? (() => Promise.resolve(token(over.token))),
  );
  const delay = vi.fn<(ms: number) => Promise<void>>(() => Promise.resolve());
  const directory = createCallerDirectory({
    resolveToken,
    resolveOidcToken: over.resolveOidcToken ?? (() => Promise.reject(new Error("no issuer"))),
    hasOidcIssuers: () => over.resolveOidcToken !== undefined,
    getPrincipal: () => Promise.resolve(principal(over.principal)),
    now: () => nowMs,
    log: createLogger("test", "silent"),
  });
  return {
    directory,
    resolveToken,
    delay,
    admit: createAdmission({ directory, now: () => nowMs, delay }),
    pass: (ms: number) => (nowMs += ms),
  };
}
