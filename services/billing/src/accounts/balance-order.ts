import type { Collections } from "../store/collections.ts";

const TIMEOUT_MS = 60_000;
const BALANCE = { $subtract: ["$credits", "$spent"] };

/**
 * Corrects the stored balance of accounts that an earlier version wrote, which changes credits and spent alone. Lists are sorted
 * by that field; what is shown and charged is credits − spent.
 */
export const createBalanceOrderRepair =
  ({ accounts }: Pick<Collections, "accounts">) =>
  async (): Promise<void> => {
    await accounts.updateMany({ $expr: { $ne: ["$balance", BALANCE] } }, [{ $set: { balance: BALANCE } }], {
      maxTimeMS: TIMEOUT_MS,
    });
  };
