import type {
  RehearsedModel,
  RehearsedSum,
  RehearsedUser,
  SkippedCalls,
} from "@turnpike/proto/billing/v1/price_book_service";
import type { LogDoc } from "../store/usage-documents.ts";
import type { RowProblem } from "./row-quota.ts";

/** What a row's usage costs at the prices in force and at the proposed ones. */
export type Repriced = { readonly current: number; readonly proposed: number };
export type RehearsedRow = Pick<LogDoc, "userId" | "username" | "modelName" | "group" | "quota" | "cost">;

type Sum = { -readonly [Field in keyof RehearsedSum]: RehearsedSum[Field] };

const noSum = (): Sum => ({
  calls: 0,
  quota: 0,
  currentQuota: 0,
  proposedQuota: 0,
  costedCalls: 0,
  cost: 0,
  costedCurrentQuota: 0,
  costedProposedQuota: 0,
});

function add(sum: Sum, { quota, cost }: RehearsedRow, { current, proposed }: Repriced): void {
  sum.calls++;
  sum.quota += quota;
  sum.currentQuota += current;
  sum.proposedQuota += proposed;
  // An unknown cost is unknown, not 0: margins leave the row out.
  if (cost === undefined) return;
  sum.costedCalls++;
  sum.cost += cost;
  sum.costedCurrentQuota += current;
  sum.costedProposedQuota += proposed;
}

/** Adds rows up by model and group, and by user. */
export function createRehearsalSums() {
  const models = new Map<string, RehearsedModel & { readonly sum: Sum }>();
  const users = new Map<number, RehearsedUser & { readonly sum: Sum }>();
  const skipped = new Map<string, { -readonly [Field in keyof SkippedCalls]: SkippedCalls[Field] }>();
  return {
    add(row: RehearsedRow, repriced: Repriced): void {
      const { modelName: model, group, userId, username } = row;
      const key = `${group}\n${model}`;
      const ofModel = models.get(key) ?? { model, group, sum: noSum() };
      models.set(key, ofModel);
      add(ofModel.sum, row, repriced);
      const ofUser = users.get(userId) ?? { userId, username, sum: noSum() };
      users.set(userId, ofUser);
      add(ofUser.sum, row, repriced);
    },
    skip({ modelName: model, quota }: RehearsedRow, reason: RowProblem): void {
      const key = `${reason}\n${model}`;
      const calls = skipped.get(key) ?? { model, reason, calls: 0, quota: 0 };
      skipped.set(key, calls);
      calls.calls++;
      calls.quota += quota;
    },
    /** All sums so far. */
    read: () => ({ models: [...models.values()], users: [...users.values()], skipped: [...skipped.values()] }),
  };
}
