import { createTurns } from "./turns.ts";

export type KeyedTurns = ReturnType<typeof createKeyedTurns>;

/** What steps on one account take turns by. */
export const accountTurn = (userId: number): string => `account:${userId}`;

/**
 * Runs steps of the same key one after another. Transactions on one hot row that begin at once abort each other and begin again, the
 * more so the more they are; those of one process need not. Right without it: replicas still meet in the database.
 */
export function createKeyedTurns() {
  const lines = new Map<string, { readonly take: ReturnType<typeof createTurns>; waiting: number }>();
  return async function inTurn<Result>(key: string, step: () => Promise<Result>): Promise<Result> {
    const line = lines.get(key) ?? { take: createTurns(), waiting: 0 };
    lines.set(key, line);
    line.waiting++;
    try {
      return await line.take(step);
    } finally {
      if (--line.waiting === 0) lines.delete(key);
    }
  };
}
