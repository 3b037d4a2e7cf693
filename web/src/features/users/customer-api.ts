import { UsageHourList } from "@turnpike/contract/api/data";
import { LedgerPage } from "@turnpike/contract/api/ledger";
import { TokenPage } from "@turnpike/contract/api/token";
import { LOG_TYPE } from "@turnpike/contract/codes";
import { queryOptions } from "@tanstack/react-query";
import { logsQuery } from "../../domain/logs/logs-api.ts";
import { api } from "../../lib/api/api-client.ts";

const SHOWN = 10;
const TOKENS_SHOWN = 100;
const DAY_SECONDS = 86_400;
const HOUR_SECONDS = 3_600;
/** The time that the page sums spend over. */
export const SPEND_DAYS = 30;

type TimeSpan = { readonly startSeconds: number; readonly endSeconds: number };

/** The last thirty days, until the end of the current hour; the server refuses more. */
export function getSpendSpan(nowSeconds: number): TimeSpan {
  const endSeconds = nowSeconds - (nowSeconds % HOUR_SECONDS) + HOUR_SECONDS;
  return { startSeconds: endSeconds - SPEND_DAYS * DAY_SECONDS, endSeconds };
}

/** A user's usage by hour and model. */
export const spendQuery = (username: string, { startSeconds, endSeconds }: TimeSpan) =>
  queryOptions({
    queryKey: ["customer", "spend", username, endSeconds],
    queryFn: ({ signal }) =>
      api.get("/api/data/", {
        query: { username, start_timestamp: startSeconds, end_timestamp: endSeconds },
        schema: UsageHourList,
        signal,
      }),
  });

/** A user's tokens, without their keys. */
export const userTokensQuery = (id: number) =>
  queryOptions({
    queryKey: ["customer", "tokens", id],
    queryFn: ({ signal }) =>
      api.get(`/api/user/${id}/tokens`, { query: { p: 0, page_size: TOKENS_SHOWN }, schema: TokenPage, signal }),
  });

/** The newest credits of a user, with the notes that the user reads. */
export const creditsQuery = (id: number) =>
  queryOptions({
    queryKey: ["ledger", "customer", id],
    queryFn: ({ signal }) =>
      api.get("/api/ledger/", { query: { p: 1, page_size: SHOWN, user_id: id }, schema: LedgerPage, signal }),
  });

/** The newest failed calls of a user. */
export const failuresQuery = (username: string) =>
  logsQuery({ page: 1, pageSize: SHOWN, all: true }, { username, type: LOG_TYPE.error });
