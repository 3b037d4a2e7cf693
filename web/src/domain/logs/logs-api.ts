import { AdminLogPage, LogStat } from "@turnpike/contract/api/log";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../../lib/api/api-client.ts";

/** The filters of the log on the wire; start and end in unix seconds, 0 or absent for open. */
export type LogQuery = {
  readonly type?: number | undefined;
  readonly username?: string | undefined;
  readonly token_name?: string | undefined;
  readonly model_name?: string | undefined;
  readonly start_timestamp?: number | undefined;
  readonly end_timestamp?: number | undefined;
  readonly channel?: number | undefined;
  readonly group?: string | undefined;
  readonly request_id?: string | undefined;
  readonly error_code?: string | undefined;
  readonly session_id?: string | undefined;
};

type Page = { readonly page: number; readonly pageSize: number; readonly all: boolean };

/** One page of the log, of all users or of the user. */
export const logsQuery = ({ page, pageSize, all }: Page, query: LogQuery) =>
  queryOptions({
    queryKey: ["logs", all, page, pageSize, query],
    queryFn: ({ signal }) =>
      api.get(all ? "/api/log/" : "/api/log/self", {
        query: { ...query, p: page, page_size: pageSize },
        schema: AdminLogPage,
        signal,
      }),
    placeholderData: keepPreviousData,
  });

/** The cost of the filtered rows, and the calls and tokens of the last minute. */
export const logStatQuery = (all: boolean, query: LogQuery) =>
  queryOptions({
    queryKey: ["log-stat", all, query],
    queryFn: ({ signal }) => api.get(all ? "/api/log/stat" : "/api/log/self/stat", { query, schema: LogStat, signal }),
    placeholderData: keepPreviousData,
  });

/** The address of the filtered rows as a file, in that language. */
export function exportAddress(all: boolean, query: LogQuery, language: string): string {
  const search = new URLSearchParams({ lang: language });
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== "") search.set(name, String(value));
  return `${all ? "/api/log/export" : "/api/log/self/export"}?${search.toString()}`;
}
