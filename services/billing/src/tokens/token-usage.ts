import { LOG_TYPE } from "@turnpike/contract/codes";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type {
  GetTokenBalanceResponse,
  GetTokenUsageRequest,
  GetTokenUsageResponse,
  TokenUse,
} from "@turnpike/proto/billing/v1/token_usage_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { Collections } from "../store/collections.ts";
import { createPeriodUsageReader } from "./period-usage.ts";

export type TokenUsage = ReturnType<typeof createTokenUsage>;

const DAYS_MAX = 31;
const ROWS_MAX = 5_000;
const TIMEOUT_MS = 10_000;
const UNLIMITED = 100_000_000;

type Row = Omit<TokenUse, "day" | "modelName"> & { _id: { day: string; modelName: string } };
type Figures = {
  readonly remain: number;
  readonly used: number;
  readonly isUnlimited: boolean;
  readonly until: number;
  /** The user whose figures these are; undefined if they are the token's. */
  readonly userId?: number;
};

const notFound = (id: number): AppError => new AppError("token_not_found", `no token ${id}`);

/** Token usage: by day and model from the log, and as one balance in the format that many clients know. */
export function createTokenUsage(deps: {
  collections: Collections;
  options: () => OptionsInForce;
  nowSeconds: () => number;
}) {
  const { accounts, logs, tokens } = deps.collections;
  const readPeriodUsage = createPeriodUsageReader(deps);

  const readFigures = async (tokenId: number): Promise<Figures> => {
    const token = await tokens.findOne({ _id: tokenId, deletedAt: 0 }, { maxTimeMS: TIMEOUT_MS });
    if (!token) throw notFound(tokenId);
    const until = Math.max(0, token.expiresAt);
    if (deps.options().flag("DisplayTokenStatEnabled"))
      return { remain: token.budget - token.spent, used: token.spent, isUnlimited: token.unlimited, until };
    const account = await accounts.findOne({ _id: token.userId }, { maxTimeMS: TIMEOUT_MS });
    const { credits = 0, spent = 0 } = account ?? {};
    return { remain: credits - spent, used: spent, isUnlimited: false, until, userId: token.userId };
  };
  return {
    /** The usage of a user's own token; throws token_not_found and range_too_long. */
    async uses(request: GetTokenUsageRequest): Promise<GetTokenUsageResponse> {
      const { userId, tokenId, startSeconds, endSeconds } = request;
      if (endSeconds - startSeconds > DAYS_MAX * 86_400)
        throw new AppError("range_too_long", "the range is too long", { params: { days: String(DAYS_MAX) } });
      if (!(await tokens.findOne({ _id: tokenId, userId }, { projection: { _id: 1 } }))) throw notFound(tokenId);
      const which = { tokenId, type: LOG_TYPE.consume, createdAt: { $gte: startSeconds, $lte: endSeconds } };
      const date = { $toDate: { $multiply: ["$createdAt", 1000] } };
      const group = {
        _id: { day: { $dateToString: { date, format: "%Y-%m-%d" } }, modelName: "$modelName" },
        requestCount: { $sum: 1 },
        promptTokens: { $sum: "$promptTokens" },
        completionTokens: { $sum: "$completionTokens" },
        quota: { $sum: "$quota" },
      };
      const rows = await logs
        .aggregate<Row>([{ $match: which }, { $group: group }, { $sort: { _id: 1 } }, { $limit: ROWS_MAX }], {
          maxTimeMS: TIMEOUT_MS,
        })
        .toArray();
      const uses = rows.map(({ _id, ...sums }) => ({ ..._id, ...sums }));
      return { uses, quota: uses.reduce((sum, { quota }) => sum + quota, 0) };
    },
    /** The figures of `/v1/dashboard/billing/*`: the token's, or its owner's where the site shows those. */
    async balance(tokenId: number): Promise<GetTokenBalanceResponse> {
      const { remain, used, isUnlimited, until, userId } = await readFigures(tokenId);
      const inPeriods = await (userId === undefined
        ? readPeriodUsage("token", tokenId)
        : readPeriodUsage("user", userId));
      const options = deps.options();
      const unit = options.flag("DisplayInCurrencyEnabled") ? options.number("QuotaPerUnit") : 1;
      return {
        remainQuota: remain,
        usedQuota: used,
        unlimited: isUnlimited,
        accessUntil: until,
        limit: isUnlimited ? UNLIMITED : (remain + used) / unit,
        totalUsage: (used / unit) * 100,
        ...inPeriods,
      };
    },
  };
}
