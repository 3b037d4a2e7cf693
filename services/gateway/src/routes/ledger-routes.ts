import { pageQuery } from "@turnpike/contract/api/common";
import { LedgerCheck, LedgerFilter, type LedgerEntry } from "@turnpike/contract/api/ledger";
import type { LedgerEntry as StoredEntry } from "@turnpike/proto/billing/v1/account_service";
import type { LedgerCheckRun, SearchLedgerResponse } from "@turnpike/proto/billing/v1/ledger_service";
import { Router } from "express";
import { type ApiResponse, ok, type PageRequest } from "../http/api-response.ts";
import { requireField } from "../presenters/required-field.ts";
import type { RoutesDeps } from "./routes-deps.ts";

const LedgerQuery = LedgerFilter.transform(({ user_id, start_timestamp, end_timestamp, ...rest }) => ({
  ...rest,
  userId: user_id,
  startSeconds: start_timestamp,
  endSeconds: end_timestamp,
})).and(pageQuery(1));

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

const pageOf = ({ page, pageSize }: PageRequest, { items, total, amount }: SearchLedgerResponse): ApiResponse =>
  ok({ items: items.map(toLedgerEntry), page, page_size: pageSize, total, amount });

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

/** Where credits came from, and whether the books agree. Mounted at /api/ledger. */
export function ledgerRoutes({ services: { ledger }, route }: RoutesDeps): Router {
  return Router()
    .get(
      "/",
      route({ access: "admin", query: LedgerQuery }, async ({ query }, { call }) =>
        pageOf(query, await ledger.searchLedger(query, call)),
      ),
    )
    .get(
      "/self",
      route({ access: "user", query: LedgerQuery }, async ({ query }, { caller, call }) =>
        pageOf(query, await ledger.searchLedger({ ...query, userId: caller.user.id }, call)),
      ),
    )
    .get(
      "/check",
      route({ access: "admin" }, async (_, { call }) => ok(toCheck((await ledger.getLedgerCheck({}, call)).run))),
    )
    .post(
      "/check",
      route({ access: "admin" }, async (_, { call }) => ok(toCheck((await ledger.startLedgerCheck({}, call)).run))),
    );
}
