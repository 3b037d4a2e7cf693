import type { LedgerEntry } from "@turnpike/proto/billing/v1/account_service";
import type { LedgerDoc } from "../store/account-documents.ts";

/** An entry as the service returns it. */
export const toLedgerEntry = ({ _id, createdAtMs, quotaAfter, ...entry }: LedgerDoc): LedgerEntry => ({
  id: _id,
  ...entry,
  quotaAfter,
  createdAtSeconds: Math.floor(createdAtMs / 1000),
});
