import { SEARCH_TIMEOUT_MS } from "@turnpike/shared/mongo/search";
import type { mongo } from "mongoose";
import { toPrefixPattern } from "../store/query.ts";
import type { Collections } from "../store/collections.ts";
import type { LogDoc } from "../store/usage-documents.ts";
import { withIndexHint } from "../store/index-hint.ts";
import { LOG_NOTE_INDEX } from "../store/indexes.ts";

export const ROWS_MAX = 100;

const NEWEST_FIRST = { createdAt: -1, _id: -1 } as const;
/** Up to this many different notes are merged in time order; with more of them the log is scanned backwards. */
const TEXTS_MAX = 30;
/** Time limit of the backward scan; the result is then what was found so far. */
const WALK_MS = 150;
const WALK_SECONDS_FIRST = 6 * 3_600;
/** The upper bound of a prefix range: no text sorts after it. */
const LAST_SIGN = "\u{10ffff}";

type Query = mongo.Filter<LogDoc>;

/**
 * Finds the newest rows whose note begins with some text; user 0 means all users. With more than thirty different notes, it
 * scans back from the newest row for a bounded time, and rare old ones may be missing.
 */
export function createNoteSearch({ logs }: Pick<Collections, "logs">) {
  const read = (index: string, query: Query, limit: number): Promise<LogDoc[]> =>
    withIndexHint(index, (hint) =>
      logs
        .find(query, { ...hint, maxTimeMS: SEARCH_TIMEOUT_MS })
        .sort(NEWEST_FIRST)
        .limit(limit)
        .toArray(),
    );
  const nextText = async (after: { $gt: string } | { $gte: string }, below: string): Promise<string | undefined> => {
    const options = { maxTimeMS: SEARCH_TIMEOUT_MS, projection: { _id: 0, content: 1 } };
    const found = await withIndexHint(LOG_NOTE_INDEX.byText, (hint) =>
      logs
        .find({ content: { ...after, $lt: below } }, { ...hint, ...options })
        .sort({ content: 1 })
        .limit(1)
        .toArray(),
    );
    return found[0]?.content;
  };
  /**
   * The different notes with the prefix, each by one index step; one more than can be merged when there are too many.
   */
  const findTexts = async (start: string): Promise<string[]> => {
    const texts: string[] = [];
    const below = start + LAST_SIGN;
    for (let text = await nextText({ $gte: start }, below); text !== undefined;) {
      texts.push(text);
      if (texts.length > TEXTS_MAX) break;
      text = await nextText({ $gt: text }, below);
    }
    return texts;
  };
  const walkBack = async (content: mongo.Condition<string>): Promise<LogDoc[]> => {
    const untilMs = performance.now() + WALK_MS;
    const found: LogDoc[] = [];
    let to = Math.floor(Date.now() / 1000);
    let bound: { $gt?: number; $lte?: number } = { $gt: to - WALK_SECONDS_FIRST };
    for (let span = WALK_SECONDS_FIRST; found.length < ROWS_MAX && to > 0; span *= 2) {
      found.push(...(await read(LOG_NOTE_INDEX.byTime, { content, createdAt: bound }, ROWS_MAX - found.length)));
      if (performance.now() > untilMs) break;
      to -= span;
      bound = { $gt: to - span * 2, $lte: to };
    }
    return found;
  };
  return async function searchNotes(start: string, userId: number): Promise<LogDoc[]> {
    // Only rows with a note are in these partial indexes, so each query must include that condition.
    const content = { $gt: "", $regex: toPrefixPattern(start) };
    if (userId > 0) return read(LOG_NOTE_INDEX.byUser, { userId, content }, ROWS_MAX);
    const texts = await findTexts(start);
    if (texts.length === 0) return [];
    if (texts.length > TEXTS_MAX) return walkBack(content);
    return read(LOG_NOTE_INDEX.byText, { content: { $gt: "", $in: texts } }, ROWS_MAX);
  };
}
