import type { LedgerCheck, LedgerEntry, Statement } from "@turnpike/contract/api/ledger";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Page } from "@turnpike/contract/api/common";
import { api } from "../../../lib/api-client.ts";
import { isFlag, isListOf, isNullable, isNumber, isObjectOf, isOneOf, isText } from "../../../lib/check.ts";
import { dayEndSeconds, dayStartSeconds } from "../../../lib/day-bounds.ts";

const isEntry = isObjectOf<LedgerEntry>({
  id: isText,
  user_id: isNumber,
  kind: isText,
  amount: isNumber,
  credits_after: isNumber,
  quota_after: isNullable(isNumber),
  reason: isText,
  created_at: isNumber,
});
type LedgerPage = Page<LedgerEntry> & { readonly amount: number };
const isLedgerPage = isObjectOf<LedgerPage>({
  items: isListOf(isEntry),
  page: isNumber,
  page_size: isNumber,
  total: isNumber,
  amount: isNumber,
});

/** The part of an address that narrows the ledger; `user` and `reference` are for admins. */
export type LedgerSearch = {
  readonly kind?: string | undefined;
  readonly user?: number | undefined;
  readonly reference?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};
type LedgerList = LedgerSearch & { readonly all: boolean; readonly page: number; readonly pageSize: number };

/** One page of credits, everybody's or one's own, newest first, with the sum of all that fit. */
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
        fits: isLedgerPage,
        signal,
      }),
    placeholderData: keepPreviousData,
  });

const isCheck = isObjectOf<LedgerCheck>({
  state: isOneOf("none", "running", "done", "failed"),
  started_at: isNumber,
  finished_at: isNumber,
  is_clean: isFlag,
  lines: isListOf(isText),
});

const RUNNING_POLL_MS = 1_500;

/** The last comparison of the books; while one runs it is asked for again and again. */
export const ledgerCheckQuery = queryOptions({
  queryKey: ["ledger-check"],
  queryFn: ({ signal }) => api.get("/api/ledger/check", { fits: isCheck, signal }),
  refetchInterval: ({ state }) => (state.data?.state === "running" ? RUNNING_POLL_MS : false),
});

/** Begins a comparison, or joins the one that runs. */
export const startLedgerCheck = () => api.post("/api/ledger/check", { fits: isCheck });

const isStatement = isObjectOf<Statement>({
  month: isText,
  user_id: isNumber,
  username: isText,
  quota_per_unit: isNumber,
  opening_quota: isNumber,
  credited_quota: isNumber,
  spent_quota: isNumber,
  closing_quota: isNumber,
  credits: isListOf(
    isObjectOf<Statement["credits"][number]>({
      id: isText,
      kind: isText,
      amount: isNumber,
      credits_after: isNumber,
      reason: isText,
      created_at: isNumber,
    }),
  ),
  uses: isListOf(
    isObjectOf<Statement["uses"][number]>({
      day: isText,
      model_name: isText,
      request_count: isNumber,
      prompt_tokens: isNumber,
      completion_tokens: isNumber,
      quota: isNumber,
    }),
  ),
  is_cut: isFlag,
});

/** A month's statement; `user` 0 is one's own. */
export const statementQuery = (month: string, user: number) =>
  queryOptions({
    queryKey: ["statement", month, user],
    queryFn: ({ signal }) =>
      api.get("/api/user/statement", {
        query: { month, user_id: user === 0 ? undefined : user },
        fits: isStatement,
        signal,
        timeoutMs: 40_000,
      }),
    placeholderData: keepPreviousData,
  });
