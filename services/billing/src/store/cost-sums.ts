/**
 * What upstreams charge for the calls of a sum, as far as it is known: the number of calls with a known cost, what was charged for
 * those calls (less refunds), and their cost. Quota units.
 */
export type CostSums = { costCount: number; costQuota: number; cost: number };

/** The same on stored sums, which lack it where no cost was known; `refunded` is what was refunded of all their calls. */
export type StoredCostSums = Partial<CostSums> & { refunded?: number };

export const noCostSums = (): CostSums => ({ costCount: 0, costQuota: 0, cost: 0 });

/** Adds a call; one whose cost is unknown adds nothing. */
export function addCost(
  sums: CostSums,
  call: { readonly quota: number; readonly cost?: number | undefined },
  weight: 1 | -1,
) {
  if (call.cost === undefined) return;
  sums.costCount += weight;
  sums.costQuota += weight * call.quota;
  sums.cost += weight * call.cost;
}

/** The increments of a document; none where no cost is known. */
export const toCostIncrements = ({ costCount, costQuota, cost }: CostSums): Partial<CostSums> =>
  costCount === 0 && costQuota === 0 && cost === 0 ? {} : { costCount, costQuota, cost };
