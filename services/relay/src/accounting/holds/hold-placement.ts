import { RelayError } from "../../core/errors/relay-error.ts";
import type { AccountClient } from "./account-client.ts";
import type { HoldResponse, HoldRequest } from "./account-requests.ts";
import type { Limit, ReportLimits } from "./limits/limit-arguments.ts";
import { countHold } from "../../core/telemetry/relay-metrics.ts";
import type { HighBalanceCache } from "./high-balance-cache.ts";
import type { OpenModeLedger } from "./fail-open.ts";

type Deps = {
  readonly accounts: AccountClient;
  readonly highBalances: HighBalanceCache;
  readonly failOpen: Pick<OpenModeLedger, "admits">;
  readonly loadAccount: (userId: number, tokenId: number) => Promise<void>;
};

const LIMIT_WORDS: Readonly<Record<Limit["counts"], string>> = {
  starts: "the request limit is reached",
  successes: "the request limit is reached",
  running: "too many calls of this token are running",
  tokens: "the limit of tokens per minute is reached",
};

function refusal(response: Exclude<HoldResponse, { outcome: "held" }>): RelayError {
  switch (response.outcome) {
    case "limited": {
      const retryAfterSeconds = Math.max(1, Math.ceil(response.waitMs / 1000));
      const what = LIMIT_WORDS[response.limit.counts];
      return new RelayError("rate_limit_exceeded", `${what}, try again in ${retryAfterSeconds} s`, {
        retryAfterSeconds,
      });
    }
    case "user_quota":
      return new RelayError("insufficient_user_quota", "the balance does not cover this call");
    case "token_quota":
      return response.available <= 0
        ? new RelayError("token_quota_exhausted", "the quota of this token is used up")
        : new RelayError("insufficient_token_quota", "the quota of this token does not cover this call");
    case "not_loaded":
      return new RelayError("service_unavailable", "the balance could not be read right now", {
        retryAfterSeconds: 2,
        cause: new Error("the account is missing from Redis right after it was loaded; try again"),
      });
  }
}

/**
 * Places holds before calls: returns true if a hold was placed, false if the call runs without one; throws the refusal.
 */
/** Reports what is left of the limits of an admitted call, or the limit that refused it. */
function reportState({ limits }: HoldRequest, response: HoldResponse, report: ReportLimits): void {
  if (response.outcome === "limited") report([{ limit: response.limit, remaining: 0, resetMs: response.waitMs }]);
  if (response.outcome === "held")
    report(
      limits.map((limit, index) => ({
        limit,
        remaining: response.remaining?.[index] ?? 0,
        resetMs: limit.periodMs,
      })),
    );
}

export function createPlaceHold(deps: Deps) {
  const loadAndHold = async (request: HoldRequest): Promise<HoldResponse> => {
    await deps.loadAccount(request.userId, request.tokenId).catch((cause: unknown) => {
      throw new RelayError("service_unavailable", "the balance could not be read right now", {
        retryAfterSeconds: 2,
        cause,
      });
    });
    return deps.accounts.hold(request);
  };
  /** True if Redis is down and the call may run based on the last known balance; throws if it may not. */
  const runsWithoutHold = (request: HoldRequest, cause: unknown): true => {
    if (cause instanceof RelayError) throw cause;
    if (deps.failOpen.admits(request.userId, request.amount)) {
      countHold("fail_open");
      return true;
    }
    countHold("failed");
    throw new RelayError("service_unavailable", "balances cannot be checked right now", {
      retryAfterSeconds: 1,
      cause,
    });
  };
  return async function placeHold(request: HoldRequest, reportLimits?: ReportLimits): Promise<boolean> {
    let response: HoldResponse;
    try {
      response = await deps.accounts.hold(request);
      if (response.outcome === "not_loaded") response = await loadAndHold(request);
    } catch (cause) {
      deps.highBalances.forget(request.userId);
      // Redis may have granted the hold and responded too late.
      deps.accounts.releaseHold(request);
      return !runsWithoutHold(request, cause);
    }
    countHold(response.outcome);
    if (reportLimits && request.limits.length > 0) reportState(request, response, reportLimits);
    if (response.outcome !== "held") {
      // Nothing settles or releases a call that was refused.
      deps.accounts.running.ended(request.userId, request.requestId);
      deps.highBalances.forget(request.userId);
      throw refusal(response);
    }
    deps.highBalances.remember(request, response);
    return true;
  };
}
export type PlaceHold = ReturnType<typeof createPlaceHold>;
