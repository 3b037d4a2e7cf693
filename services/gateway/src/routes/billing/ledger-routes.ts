import { pageQuery, successSchema } from "@turnpike/contract/api/common";
import { LedgerCheck, LedgerFilter, type LedgerEntry, LedgerPage } from "@turnpike/contract/api/ledger";
import type { LedgerEntry as StoredEntry } from "@turnpike/proto/billing/v1/account_service";
import type { LedgerCheckRun, SearchLedgerResponse } from "@turnpike/proto/billing/v1/ledger_service";
import { Router } from "express";
import { ok, type PageRequest } from "../../http/api-response.ts";
import { toExactNumber } from "../../presenters/exact-number.ts";
import { requireField } from "../../presenters/required-field.ts";
import type { RoutesDeps } from "../routes-deps.ts";
import { z } from "zod/mini";

const LedgerQuery = z.intersection(
  z.pipe(
    LedgerFilter,
    z.transform(({ user_id, start_timestamp, end_timestamp, ...rest }) => ({
      ...rest,
      userId: user_id,
      startSeconds: start_timestamp,
      endSeconds: end_timestamp,
    })),
  ),
  pageQuery(1),
);

const toLedgerEntry = (entry: StoredEntry): LedgerEntry => ({
  id: entry.id,
  user_id: entry.userId,
  kind: entry.kind,
  amount: entry.amount,
  credits_after: entry.creditsAfter,
  quota_after: entry.quotaAfter ?? null,
  reason: entry.reason,
  created_at: entry.createdAtSeconds,
});

const toPage = ({ page, pageSize }: PageRequest, { items, total, exactAmount }: SearchLedgerResponse) =>
  ok({ items: items.map(toLedgerEntry), page, page_size: pageSize, total, amount: toExactNumber(exactAmount) });

const toCheck = (run: LedgerCheckRun | undefined): LedgerCheck => {
  const { state, startedAtSeconds, finishedAtSeconds, isClean, lines } = requireField(run, "run");
  return LedgerCheck.parse({
    state,
    started_at: startedAtSeconds,
    finished_at: finishedAtSeconds,
    is_clean: isClean,
    lines,
  });
};

const SPECS = {
  listCredits: {
    access: "admin",
    summary: "List credits of all users",
    returns: successSchema(LedgerPage),
    query: LedgerQuery,
  },
  listOwnCredits: {
    access: "user",
    summary: "List the own credits",
    returns: successSchema(LedgerPage),
    query: LedgerQuery,
  },
  readCheck: {
    access: "admin",
    summary: "Read the result of the last reconciliation",
    returns: successSchema(LedgerCheck),
  },
  startCheck: { access: "admin", summary: "Start a reconciliation", returns: successSchema(LedgerCheck) },
} as const;

/** Credits by source, and reconciliation. Mounted at /api/ledger. */
export function ledgerRoutes({ services: { ledger }, route }: RoutesDeps): Router {
  return Router()
    .get(
      "/",
      route(SPECS.listCredits, async ({ query }, { call }) => toPage(query, await ledger.searchLedger(query, call))),
    )
    .get(
      "/self",
      route(SPECS.listOwnCredits, async ({ query }, { caller, call }) =>
        toPage(query, await ledger.searchLedger({ ...query, userId: caller.user.id }, call)),
      ),
    )
    .get(
      "/check",
      route(SPECS.readCheck, async (_, { call }) => ok(toCheck((await ledger.getLedgerCheck({}, call)).run))),
    )
    .post(
      "/check",
      route(SPECS.startCheck, async (_, { call }) => ok(toCheck((await ledger.startLedgerCheck({}, call)).run))),
    );
}
