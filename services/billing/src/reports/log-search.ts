import type { LogRow } from "@turnpike/proto/billing/v1/log_service";
import type { mongo } from "mongoose";
import { startingWith } from "../edge/query.ts";
import { toLogRow } from "../logs/log-row.ts";
import type { Collections } from "../store/collections.ts";
import type { LogDoc } from "../store/documents.ts";
import { withoutContents } from "./without-contents.ts";

export type SearchLogs = ReturnType<typeof createLogSearch>;

const ROWS_MAX = 100;
const TIMEOUT_MS = 5_000;
/** Numbers up to here are types of rows. */
const TYPE = /^[1-9]$/;

/** The newest rows of a type (a digit), of one request, or whose note begins with the keyword; user 0 is everybody. */
export function createLogSearch({ logs }: Pick<Collections, "logs">) {
  const find = async (query: mongo.Filter<LogDoc>): Promise<LogDoc[]> =>
    logs.find(query, { maxTimeMS: TIMEOUT_MS }).sort({ createdAt: -1, _id: -1 }).limit(ROWS_MAX).toArray();
  return async function searchLogs(keyword: string, userId: number): Promise<LogRow[]> {
    const wanted = keyword.trim();
    if (wanted === "") return [];
    const owner = userId > 0 ? { userId } : {};
    if (TYPE.test(wanted)) return (await find({ ...owner, type: Number(wanted) })).map(toLogRow).map(withoutContents);
    const ofRequest = await find({ ...owner, requestId: wanted });
    // Only rows with a note are in the index that this reads.
    const noted = { ...owner, content: { $gt: "", $regex: startingWith(wanted) } };
    const found = ofRequest.length > 0 ? ofRequest : await find(noted);
    return found.map(toLogRow).map(withoutContents);
  };
}
