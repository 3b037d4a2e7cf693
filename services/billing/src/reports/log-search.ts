import { LOG_TYPE } from "@turnpike/contract/codes";
import type { LogRow } from "@turnpike/proto/billing/v1/log_service";
import { SEARCH_TIMEOUT_MS } from "@turnpike/shared/mongo/search";
import type { mongo } from "mongoose";
import { getCallRowIds } from "../logs/log-filter.ts";
import { toLogRow, toLogRowWithCost } from "../logs/log-row.ts";
import type { Collections } from "../store/collections.ts";
import type { LogDoc } from "../store/usage-documents.ts";
import { withIndexHint } from "../store/index-hint.ts";
import { LOG_OTHERS_INDEX, LOG_TIME_INDEX, LOG_WIDE_INDEX } from "../store/indexes.ts";
import { withQueryTimeout } from "../store/query-timeout.ts";
import { createNoteSearch, ROWS_MAX } from "./note-search.ts";
import { stripContents } from "./log-content-filter.ts";

export type SearchLogs = ReturnType<typeof createLogSearch>;

/** Numbers up to this one are row types. */
const TYPE = /^[1-9]$/;

/** The newest rows of a type (a digit), of one request, or whose note begins with the keyword; user 0 means all users. */
export function createLogSearch({ logs }: Pick<Collections, "logs">) {
  const searchNotes = createNoteSearch({ logs });
  const find = (index: string, query: mongo.Filter<LogDoc>): Promise<LogDoc[]> =>
    withIndexHint(index, (hint) =>
      logs
        .find(query, { ...hint, maxTimeMS: SEARCH_TIMEOUT_MS })
        .sort({ createdAt: -1, _id: -1 })
        .limit(ROWS_MAX)
        .toArray(),
    );
  const findByType = (type: number, userId: number): Promise<LogDoc[]> => {
    if (userId > 0) return find(LOG_WIDE_INDEX.user, { userId, type });
    return find(type === LOG_TYPE.consume ? LOG_TIME_INDEX : LOG_OTHERS_INDEX, { type });
  };
  const search = async (text: string, userId: number): Promise<LogDoc[]> => {
    if (TYPE.test(text)) return findByType(Number(text), userId);
    const owner = userId > 0 ? { userId } : {};
    const byRequest = await find("find_by_request", { ...owner, requestId: { $in: getCallRowIds(text) } });
    return byRequest.length > 0 ? byRequest : searchNotes(text, userId);
  };
  return async function searchLogs(keyword: string, userId: number): Promise<LogRow[]> {
    const text = keyword.trim();
    if (text === "") return [];
    const found = await withQueryTimeout(() => search(text, userId));
    return found.map(userId > 0 ? toLogRow : toLogRowWithCost).map(stripContents);
  };
}
