import { ROLE } from "@turnpike/contract/codes";
import type { LedgerServiceServer } from "@turnpike/proto/billing/v1/ledger_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { CallContext } from "@turnpike/shared/grpc/context";
import type { Handlers } from "@turnpike/shared/grpc/server";
import { allowOwner, requireAdmin } from "@turnpike/shared/grpc/caller";
import type { ReconciliationRunner } from "../reconciliation/reconciliation-runner.ts";
import { toLedgerEntry } from "./ledger-entry.ts";
import type { LedgerSearch } from "./ledger-search.ts";
import type { Statements } from "./statement.ts";

function requireRoot(context: CallContext): void {
  if (requireAdmin(context).role < ROLE.root)
    throw new AppError("permission_denied", "only root may run a reconciliation");
}

/** RPCs over the ledger: users read their own, administrators all users', root starts a reconciliation. */
export const ledgerHandlers = (deps: {
  search: LedgerSearch;
  statement: Statements;
  checker: ReconciliationRunner;
}): Handlers<LedgerServiceServer> => ({
  async searchLedger(request, context) {
    allowOwner(context, request.userId > 0 ? [request.userId] : []);
    const { items, total, amount } = await deps.search(request);
    const safeAmount = Number.isSafeInteger(Number(amount)) ? Number(amount) : 0;
    return { items: items.map(toLedgerEntry), total, amount: safeAmount, exactAmount: String(amount) };
  },
  async getStatement({ userId, month }, context) {
    allowOwner(context, [userId]);
    return deps.statement(userId, month);
  },
  async startLedgerCheck(_, context) {
    requireRoot(context);
    return { run: await deps.checker.start() };
  },
  async getLedgerCheck(_, context) {
    requireRoot(context);
    return { run: await deps.checker.last() };
  },
});
