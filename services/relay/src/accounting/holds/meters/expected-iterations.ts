import { type ExpectedUsage, computeHoldQuota, computeLikelyQuota } from "@turnpike/contract/pricing/hold-quota";
import type { FindModelPrice } from "@turnpike/contract/pricing/iterations";
import type { ModelPrice } from "@turnpike/contract/pricing/price-tables";
import type { RelayCall } from "../../../core/call/relay-call.ts";
import { asNumber, asObject, asObjects, asText } from "../../../core/chat/json.ts";

/** A request that the provider may make within a call, and how often. */
type ExpectedIteration = {
  /** The model that serves it; undefined for the call's own. */
  readonly model: string | undefined;
  readonly times: number;
  readonly completionTokens: number;
  /** True where it is certain enough that the account must cover it. */
  readonly isLikely: boolean;
};

/** The prompt length from which Anthropic compacts a conversation if the request does not name one. */
const COMPACTION_TRIGGER = 150_000;
/** The estimate of a prompt may be too low by this factor. */
const PROMPT_MARGIN = 1.25;
/** Assumed tokens of a summary, and of an advice without a bound. */
const SUMMARY_TOKENS = 4_000;
const ADVICE_TOKENS = 2_000;
/** Assumed uses of an advisor without a bound, and the most that are held for. */
const ADVICES = 3;
const ADVICES_MAX = 20;

function getCompactions({ body }: RelayCall, promptTokens: number): readonly ExpectedIteration[] {
  const edits = asObjects(asObject(body["context_management"])?.["edits"]);
  const edit = edits.find(({ type }) => asText(type)?.startsWith("compact") === true);
  if (!edit) return [];
  const trigger = asNumber(asObject(edit["trigger"])?.["value"]) ?? COMPACTION_TRIGGER;
  if (promptTokens * PROMPT_MARGIN < trigger) return [];
  return [{ model: undefined, times: 1, completionTokens: SUMMARY_TOKENS, isLikely: promptTokens >= trigger }];
}

const getAdvices = ({ body }: RelayCall): readonly ExpectedIteration[] =>
  asObjects(body["tools"])
    .filter(({ type }) => asText(type)?.startsWith("advisor_") === true)
    .map((tool) => ({
      model: asText(tool["model"]),
      times: Math.min(Math.max(1, asNumber(tool["max_uses"]) ?? ADVICES), ADVICES_MAX),
      completionTokens: Math.max(1, asNumber(tool["max_tokens"]) ?? ADVICE_TOKENS),
      isLikely: false,
    }));

/** The rates of a call's hold, and the usage that it expects of the call itself. */
type HoldRates = {
  readonly price: ModelPrice;
  readonly groupRatio: number;
  readonly quotaPerUnit: number;
  readonly findModelPrice: FindModelPrice;
  readonly content: Omit<ExpectedUsage, "promptTokens" | "completionTokens" | "toolCalls">;
  readonly promptTokens: number;
};

/**
 * What the requests may cost that a provider makes within a call, as far as its body shows: at most, and at least if it is served as
 * requested. Source: Anthropic's Messages API, `context_management.edits` and the advisor tool; each reads the prompt again.
 */
export function estimateIterationsQuota(
  call: RelayCall,
  { price, groupRatio, quotaPerUnit, findModelPrice, content, promptTokens }: HoldRates,
): { readonly most: number; readonly likely: number } {
  let [most, likely] = [0, 0];
  if (call.dialect.endpoint || price.mode === "call") return { most, likely };
  for (const { model, times, completionTokens, isLikely } of [
    ...getCompactions(call, promptTokens),
    ...getAdvices(call),
  ]) {
    const own = (model === undefined ? undefined : findModelPrice(model)) ?? price;
    const expected = { promptTokens, completionTokens };
    most += times * computeHoldQuota(own, groupRatio, quotaPerUnit, { ...content, ...expected });
    if (isLikely) likely += times * computeLikelyQuota(own, groupRatio, quotaPerUnit, expected);
  }
  return { most, likely };
}
