import { pageQuery } from "@turnpike/contract/api/common";
import { LedgerFilter, type LedgerEntry } from "@turnpike/contract/api/ledger";
import type { LedgerEntry as StoredEntry } from "@turnpike/proto/billing/v1/account_service";
import { Router } from "express";
import { okPage } from "../http/answer.ts";
import type { RoutesDeps } from "./routes-deps.ts";

const toLedgerEntry = (entry: StoredEntry): LedgerEntry => ({
  id: entry.id,
  user_id: entry.userId,
  kind: entry.kind,
  amount: entry.amount,
  credits_after: entry.creditsAfter,
  reason: entry.reason,
  created_at: entry.createdAtSeconds,
});

/** Where credits came from. Mounted at /api/ledger. */
export function ledgerRoutes({ services: { accounts }, route }: RoutesDeps): Router {
  return Router()
    .get(
      "/",
      route({ access: "admin", query: LedgerFilter.and(pageQuery(1)) }, async ({ query }, { call }) => {
        const { page, pageSize, user_id: userId } = query;
        const found = await accounts.listLedgerEntries({ userId, page, pageSize }, call);
        return okPage(query, { items: found.items.map(toLedgerEntry), total: found.total });
      }),
    )
    .get(
      "/self",
      route({ access: "user", query: pageQuery(1) }, async ({ query }, { caller, call }) => {
        const found = await accounts.listLedgerEntries({ userId: caller.user.id, ...query }, call);
        return okPage(query, { items: found.items.map(toLedgerEntry), total: found.total });
      }),
    );
}
