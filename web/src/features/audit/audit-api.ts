import { OptionList } from "@turnpike/contract/api/option";
import { AuditPage } from "@turnpike/contract/api/audit";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../../lib/api/api-client.ts";
import { queryClient } from "../../lib/api/query-client.ts";
import { toRestoredOptions } from "./setting-restore.ts";
import { dayEndSeconds, dayStartSeconds } from "../../lib/text/day-bounds.ts";

/** The audit page's search parameters; `area` is the first half of an action, days are in the user's time zone. */
export type AuditSearch = {
  readonly actor?: string | undefined;
  readonly area?: string | undefined;
  readonly keyword?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

type AuditList = AuditSearch & { readonly page: number; readonly pageSize: number };

/** Reads one page of administrators' actions, newest first. */
export const readAudit = (list: AuditList, signal?: AbortSignal) =>
  api.get("/api/audit/", {
    query: {
      p: list.page,
      page_size: list.pageSize,
      actor: list.actor,
      action: list.area === undefined ? undefined : `${list.area}.`,
      keyword: list.keyword,
      start_timestamp: dayStartSeconds(list.from),
      end_timestamp: dayEndSeconds(list.to),
    },
    schema: AuditPage,
    ...(signal ? { signal } : {}),
  });

export const auditQuery = (list: AuditList) =>
  queryOptions({
    queryKey: ["audit", list],
    queryFn: ({ signal }) => readAudit(list, signal),
    placeholderData: keepPreviousData,
  });

/** Stores the settings of a change as they were before it. */
export async function restoreSettings(change: Parameters<typeof toRestoredOptions>[0]): Promise<void> {
  const rows = await api.get("/api/option/", { schema: OptionList });
  const options = toRestoredOptions(change, Object.fromEntries(rows.map(({ key, value }) => [key, value])));
  await api.put("/api/option/batch", { body: { options } });
  await Promise.all(
    [["options"], ["audit"], ["status"]].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  );
}
