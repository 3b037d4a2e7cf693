/** A reconciliation run. */
export type LedgerCheckDoc = {
  runId: string;
  state: "running" | "done" | "failed";
  startedAtMs: number;
  seenAtMs: number;
  finishedAtMs: number;
  isClean: boolean;
  lines: string[];
};

/** A scheduled comparison of a catalogue: how many prices are proposed, how many of them change beyond the limit, how many were applied. */
export type CatalogueProposalDoc = {
  readonly checkedAtMs: number;
  readonly source: string;
  readonly url: string;
  /** Why the catalogue could not be read the last time; "" for a comparison. */
  readonly problem: string;
  readonly added: number;
  readonly changed: number;
  readonly large: number;
  readonly applied: number;
};

/** State of this service's own jobs. */
export type StateDoc = {
  _id: "logs" | "sweep" | "ledger_check" | "below_cost" | "catalogue";
  /** logs: rows before this time have been deleted on purpose. */
  deletedBefore?: number;
  /** logs: some posted records never had a row. */
  hasUnlogged?: boolean;
  /** logs: every existing row is counted in the tallies. */
  isTallied?: boolean;
  /** logs: the same for models, channels and groups combined. */
  isCrossTallied?: boolean;
  /** logs: a tool is bulk-loading the log until then, and creates the indexes itself. */
  bulkUntilMs?: number;
  /** sweep: changes up to this time are in Redis. */
  untilMs?: number;
  /** ledger_check: the last run, who started it, and its last heartbeat. */
  check?: LedgerCheckDoc;
  /** below_cost: what operators were notified of on that day. */
  belowCost?: { day: number; keys: string[] };
  /** catalogue: the last scheduled comparison. */
  catalogue?: CatalogueProposalDoc;
};
