import { AppError } from "@turnpike/shared/errors/app-error";
import { type PageRange, QUERY_TIMEOUT_MS, SKIP_MAX } from "../store/query.ts";
import type { Collections } from "../store/collections.ts";
import type { AccountDoc, LedgerDoc } from "../store/account-documents.ts";
import type { ChannelTotalDoc } from "../store/sum-documents.ts";

export type AccountReader = ReturnType<typeof createAccountReader>;

const USERS_MAX = 200;
/** The most users among whom a filtered list is sorted. */
const RANKED_MAX = 100_000;
const SORT_FIELDS = { balance: "balance", spent: "spent", last_call: "lastCallAt" } as const;
const CHANNELS_MAX = 10_000;
const bounded = { maxTimeMS: QUERY_TIMEOUT_MS };

const isSort = (sort: string): sort is keyof typeof SORT_FIELDS => Object.hasOwn(SORT_FIELDS, sort);

/** Reads balances, ledgers and channel totals; every read is bounded. */
export function createAccountReader({ accounts, ledger, channelTotals }: Collections) {
  return {
    async list(userIds: readonly number[]): Promise<AccountDoc[]> {
      if (userIds.length > USERS_MAX)
        throw new AppError("invalid_input", "too many users at once", { params: { detail: "user_ids" } });
      return accounts.find({ _id: { $in: [...userIds] } }, bounded).toArray();
    },
    /** One page of accounts, highest figure first, among some users or, without any, of all. */
    async ranked(
      { sort, userIds }: { readonly sort: string; readonly userIds: readonly number[] },
      { skip, limit }: PageRange,
    ): Promise<{ items: AccountDoc[]; total: number }> {
      if (!isSort(sort)) throw new AppError("invalid_input", `sort ${sort}`, { params: { detail: "sort" } });
      if (userIds.length > RANKED_MAX)
        throw new AppError("invalid_input", `${userIds.length} users are too many to sort; narrow the filter`, {
          params: { detail: "sort" },
        });
      const filter = userIds.length === 0 ? {} : { _id: { $in: [...userIds] } };
      const order = { [SORT_FIELDS[sort]]: -1, _id: -1 } as const;
      const [items, total] = await Promise.all([
        accounts.find(filter, bounded).sort(order).skip(skip).limit(limit).toArray(),
        accounts.countDocuments(filter, bounded),
      ]);
      return { items, total };
    },
    /** One page of a user's entries, newest first, with the total number. */
    async ledger(userId: number, { skip, limit }: PageRange): Promise<{ items: LedgerDoc[]; total: number }> {
      const [items, total] = await Promise.all([
        ledger.find({ userId }, bounded).sort({ createdAtMs: -1, _id: -1 }).skip(skip).limit(limit).toArray(),
        ledger.countDocuments({ userId }, { ...bounded, limit: SKIP_MAX }),
      ]);
      return { items, total };
    },
    /** The totals of these channels, or of all when none is named. */
    channelTotals: (channelIds: readonly number[]): Promise<ChannelTotalDoc[]> =>
      channelTotals
        .find(channelIds.length === 0 ? {} : { _id: { $in: [...channelIds] } }, bounded)
        .sort({ _id: 1 })
        .limit(CHANNELS_MAX)
        .toArray(),
  };
}
