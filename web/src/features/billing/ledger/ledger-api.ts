import { LedgerCheck, LedgerPage, Statement } from "@turnpike/contract/api/ledger";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../../../lib/api/api-client.ts";
import { dayEndSeconds, dayStartSeconds } from "../../../lib/text/day-bounds.ts";

/** The ledger's search parameters; `user` and `reference` are for administrators. */
export type LedgerSearch = {
  readonly kind?: string | undefined;
  readonly user?: number | undefined;
  readonly reference?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};
type LedgerList = LedgerSearch & { readonly all: boolean; readonly page: number; readonly pageSize: number };

/** One page of credits, of all users or of the user, newest first, with the sum of all matches. */
export const ledgerQuery = ({ all, page, pageSize, kind, user, reference, from, to }: LedgerList) =>
  queryOptions({
    queryKey: ["ledger", all, page, pageSize, kind, user, reference, from, to],
    queryFn: ({ signal }) =>
      api.get(all ? "/api/ledger/" : "/api/ledger/self", {
        query: {
          p: page,
          page_size: pageSize,
          kind,
          user_id: user,
          reference,
          start_timestamp: dayStartSeconds(from),
          end_timestamp: dayEndSeconds(to),
        },
        schema: LedgerPage,
        signal,
      }),
    placeholderData: keepPreviousData,
  });

const RUNNING_POLL_MS = 1_500;

/** The last reconciliation; polled while one runs. */
export const ledgerCheckQuery = queryOptions({
  queryKey: ["ledger-check"],
  queryFn: ({ signal }) => api.get("/api/ledger/check", { schema: LedgerCheck, signal }),
  refetchInterval: ({ state }) => (state.data?.state === "running" ? RUNNING_POLL_MS : false),
});

/** Starts a reconciliation, or joins a running one. */
export const startLedgerCheck = () => api.post("/api/ledger/check", { schema: LedgerCheck });

/** A month's statement; `user` 0 is the signed-in user. */
export const statementQuery = (month: string, user: number) =>
  queryOptions({
    queryKey: ["statement", month, user],
    queryFn: ({ signal }) =>
      api.get("/api/user/statement", {
        query: { month, user_id: user === 0 ? undefined : user },
        schema: Statement,
        signal,
        timeoutMs: 40_000,
      }),
    placeholderData: keepPreviousData,
  });
