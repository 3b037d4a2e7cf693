import type { TokenUsage } from "@turnpike/contract/pricing/quota";
import { NO_USAGE } from "@turnpike/contract/pricing/quota";
import type { ReportedUsage } from "../../core/chat/chat.ts";
import { promptText } from "../../accounting/tokens/token-estimate.ts";
import type { GeneratedText } from "../../accounting/tokens/generated-text.ts";
import type { Tokenizer } from "../../accounting/tokens/tokenizer.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";

export type ResolvedUsage = { readonly usage: TokenUsage; readonly estimated: boolean };

/** No model reads or writes as much in one call. */
const TOKENS_MAX = 1_000_000_000;
/** Whether upstream's figures can be true. */
export const isCredible = (usage: TokenUsage): boolean => usage.promptTokens + usage.completionTokens <= TOKENS_MAX;

/** Tools that upstream ran cost apart from tokens, also where no word was said after them. */
const hasTools = (reported: ReportedUsage): boolean => Object.keys(reported?.toolCalls ?? {}).length > 0;

const credible = (reported: ReportedUsage): ReportedUsage => (reported && isCredible(reported) ? reported : undefined);

async function estimatePrompt(call: RelayCall, tokenizer: Tokenizer): Promise<number> {
  const {
    text,
    texts = [text],
    extraTokens,
  } = call.dialect.endpoint?.prompt(call.body) ?? promptText(call.body, call.model);
  if (text === "") return extraTokens;
  const counts = await tokenizer.count(texts);
  return counts.reduce((sum, tokens) => sum + tokens, extraTokens);
}

/** Of endpoints whose answers have no completion tokens: what was asked is what counts, once anything was answered. */
async function usageOfPrompt(call: RelayCall, reported: ReportedUsage, tokenizer: Tokenizer): Promise<ResolvedUsage> {
  if (reported && reported.promptTokens + reported.completionTokens > 0) return { usage: reported, estimated: false };
  const promptTokens = await estimatePrompt(call, tokenizer);
  const isExact = call.dialect.endpoint?.prompt(call.body).isExact === true;
  return { usage: { ...NO_USAGE, promptTokens }, estimated: !isExact };
}

/**
 * What a call is charged for. Upstream's figures where they fit what was produced; the tokenizer's where they are missing, cannot be
 * true, say zero though text came, or (a cut answer) stop short of it. An answer with neither text nor tokens costs nothing.
 */
export async function resolveUsage(input: {
  call: RelayCall;
  reported: ReportedUsage;
  produced: GeneratedText;
  wasCut: boolean;
  tokenizer: Tokenizer;
}): Promise<ResolvedUsage> {
  const { call, produced, wasCut, tokenizer } = input;
  const reported = credible(input.reported);
  if (call.dialect.endpoint?.promptOnly) {
    const isUnserved = wasCut && call.firstByteAtMs === undefined;
    return isUnserved ? { usage: NO_USAGE, estimated: false } : usageOfPrompt(call, reported, tokenizer);
  }
  const isTold = reported !== undefined && reported.completionTokens > 0 && !wasCut;
  if (isTold) return { usage: reported, estimated: false };
  if (produced.isEmpty() && !hasTools(reported)) return { usage: NO_USAGE, estimated: false };
  const completionTokens = Math.max(await produced.tokens(), reported?.completionTokens ?? 0);
  const promptTokens =
    reported && reported.promptTokens > 0 ? reported.promptTokens : await estimatePrompt(call, tokenizer);
  return { usage: { ...NO_USAGE, ...reported, promptTokens, completionTokens }, estimated: true };
}
