import type { CallMeter } from "./call-meter.ts";

/**
 * The meter of a call that another relay may have taken over under the same request id: what this relay generated then costs
 * nothing, since the user pays for one run. If that is not known, the call is charged: billing posts one charge of a request id.
 */
export function createOwnedMeter(meter: CallMeter, mayCharge: () => Promise<boolean>): CallMeter {
  return {
    price: meter.price,
    cachedResponseRatio: meter.cachedResponseRatio,
    charge: async (outcome) => ((await mayCharge().catch(() => true)) ? meter.charge(outcome) : meter.release()),
    getCharge: () => meter.getCharge(),
    getCoveredTokens: () => meter.getCoveredTokens(),
    release: () => meter.release(),
    secure: () => meter.secure(),
    produced: (generated) => meter.produced(generated),
    isLimitReached: (generated) => meter.isLimitReached(generated),
    spent: (usage) => meter.spent(usage),
  };
}
