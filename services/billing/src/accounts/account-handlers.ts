import type { Account, AccountServiceServer } from "@turnpike/proto/billing/v1/account_service";
import type { Handlers } from "@turnpike/shared/grpc/server";
import { allowOwner, requireAdmin } from "@turnpike/shared/grpc/caller";
import { toPageRange } from "../store/query.ts";
import type { AccountDoc } from "../store/account-documents.ts";
import { toLedgerEntry } from "../ledger/ledger-entry.ts";
import type { AccountReader } from "./account-reader.ts";
import type { AccountService } from "./account-service.ts";
import type { LoadAccount } from "./account-loader.ts";

const toAccount = ({ _id, credits, spent, requestCount, lastCallAt }: AccountDoc): Account => ({
  userId: _id,
  credits,
  spent,
  requestCount,
  lastCallAtSeconds: lastCallAt,
});

/** RPCs over balances. Changing one requires an admin; users read their own. */
export const accountHandlers = (deps: {
  accounts: AccountService;
  reader: AccountReader;
  load: LoadAccount;
  /** Creates a token of that name unless the user already has one. */
  giveFirstToken: (userId: number, name: string) => Promise<void>;
}): Handlers<AccountServiceServer> => ({
  async openAccount(request, context) {
    if (context.actor) requireAdmin(context);
    const account = await deps.accounts.open(request);
    if (request.firstToken) await deps.giveFirstToken(request.userId, request.firstToken);
    return { account: toAccount(account) };
  },
  async getAccounts({ userIds }, context) {
    allowOwner(context, userIds);
    return { accounts: (await deps.reader.list(userIds)).map(toAccount) };
  },
  async rankAccounts(request, context) {
    requireAdmin(context);
    const { items, total } = await deps.reader.ranked(request, toPageRange(request, 1));
    return { accounts: items.map(toAccount), total };
  },
  async setQuota(request, context) {
    const { account, change } = await deps.accounts.setQuota(requireAdmin(context), request);
    return { account: toAccount(account), change };
  },
  async loadAccount({ userId, tokenId }) {
    await deps.load(userId, tokenId);
    return {};
  },
  async listLedgerEntries(request, context) {
    allowOwner(context, [request.userId]);
    const { items, total } = await deps.reader.ledger(request.userId, toPageRange(request, 1));
    return { items: items.map(toLedgerEntry), total };
  },
  async getChannelTotals({ channelIds }, context) {
    if (context.actor) requireAdmin(context);
    const totals = await deps.reader.channelTotals(channelIds);
    return {
      totals: totals.map(({ _id, quota, requestCount }) => ({ channelId: _id, usedQuota: quota, requestCount })),
    };
  },
});
