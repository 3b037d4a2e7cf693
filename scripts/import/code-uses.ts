import { LOG_TYPE } from "@turnpike/contract/codes";
import type { Source } from "./source/open-source.ts";
import { getInteger, getText } from "./source/source-rows.ts";

/** When each user (by the source's number) used a code. */
export type CodeUses = ReadonlyMap<number, number>;

/** The note of a redemption in the family's logs; both kinds of codes end with their number. */
const REDEEMED = /码\s*ID[：:]?\s*(\d+)/;
const TIMES = ["used_time", "redeemed_time", "created_time", "created_at"] as const;

/**
 * Who used which code, as far as the source records it: a gift code counts for many users, and its own row names the last one only.
 * Veloera has a table of uses; elsewhere the log names the code of each redemption. By the source's numbers.
 */
export function readCodeUses(source: Source): ReadonlyMap<number, CodeUses> {
  const uses = new Map<number, Map<number, number>>();
  const add = (codeId: number, userId: number, atSeconds: number): void => {
    const users = uses.get(codeId) ?? new Map<number, number>();
    uses.set(codeId, users.set(userId, atSeconds));
  };
  for (const table of source.tables) {
    const columns = source.readColumns(table);
    if (!columns.has("redemption_id") || !columns.has("user_id")) continue;
    const time = TIMES.find((name) => columns.has(name));
    for (const row of source.rows(table, "redemption_id"))
      add(getInteger(row, "redemption_id"), getInteger(row, "user_id"), time === undefined ? 0 : getInteger(row, time));
  }
  for (const row of source.rows("logs", "id")) {
    if (getInteger(row, "type") !== LOG_TYPE.topUp) continue;
    const codeId = REDEEMED.exec(getText(row, "content"))?.[1];
    if (codeId !== undefined) add(Number(codeId), getInteger(row, "user_id"), getInteger(row, "created_at"));
  }
  return uses;
}
