import type { Collections } from "../store/collections.ts";
import { createLogScan } from "./log-scan.ts";
import { createLogSearch } from "./log-search.ts";
import { createMargins } from "./margins.ts";
import { createOverview } from "./overview.ts";
import { createPartHours } from "./part-hours.ts";
import { reportHandlers } from "./report-handlers.ts";
import { createTokenLogs } from "./token-logs.ts";

/** Wires the reports: the log scan and the dashboard's overview. */
export function createReports(deps: { collections: Collections; hashKey: (key: string) => string }) {
  const { collections, hashKey } = deps;
  const scan = createLogScan(collections);
  return reportHandlers({
    scan,
    search: createLogSearch(collections),
    tokenLogs: createTokenLogs({ collections, hashKey, scan }),
    overview: createOverview(collections),
    margins: createMargins(collections),
    partHours: createPartHours(collections),
  });
}
