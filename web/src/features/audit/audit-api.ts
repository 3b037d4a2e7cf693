import type { AuditEntry } from "@turnpike/contract/api/audit";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { isPageOf } from "../../lib/api-schemas.ts";
import { api } from "../../lib/api-client.ts";
import { isNumber, isObjectOf, isText } from "../../lib/check.ts";
import { dayEndSeconds, dayStartSeconds } from "../../lib/day-bounds.ts";

/** The audit page's part of the address; `area` is the first half of an action, the days are the reader's. */
export type AuditSearch = {
  readonly actor?: string | undefined;
  readonly area?: string | undefined;
  readonly keyword?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

const isAuditPage = isPageOf(
  isObjectOf<AuditEntry>({
    id: isNumber,
    created_at: isNumber,
    actor_id: isNumber,
    actor_name: isText,
    action: isText,
    target: isText,
    before: isText,
    after: isText,
    address: isText,
  }),
);

/** One page of what admins did, newest first. */
export const auditQuery = (list: AuditSearch & { readonly page: number; readonly pageSize: number }) =>
  queryOptions({
    queryKey: ["audit", list],
    queryFn: ({ signal }) =>
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
        fits: isAuditPage,
        signal,
      }),
    placeholderData: keepPreviousData,
  });
