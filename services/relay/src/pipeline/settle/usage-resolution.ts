import type { TokenUsage } from "@turnpike/contract/pricing/quota";
import { NO_USAGE } from "@turnpike/contract/pricing/quota";
import type { ReportedUsage } from "../../core/chat/chat.ts";
import { promptText } from "../../accounting/tokens/token-estimate.ts";
import type { GeneratedText } from "../../accounting/tokens/generated-text.ts";
import type { Tokenizer } from "../../accounting/tokens/tokenizer.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";

export type ResolvedUsage = { readonly usage: TokenUsage; readonly estimated: boolean };

/** No model reads or writes that many tokens in one call. */
const TOKENS_MAX = 1_000_000_000;
/** Whether upstream's reported usage is plausible. */
export const isCredible = (usage: TokenUsage): boolean => usage.promptTokens + usage.completionTokens <= TOKENS_MAX;

/** Tool calls run by upstream are charged separately from tokens, even if no text followed. */
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

/** For endpoints whose responses have no completion tokens: only the request is charged, once anything was returned. */
async function usageOfPrompt(call: RelayCall, reported: ReportedUsage, tokenizer: Tokenizer): Promise<ResolvedUsage> {
  if (reported && reported.promptTokens + reported.completionTokens > 0) return { usage: reported, estimated: false };
  const promptTokens = await estimatePrompt(call, tokenizer);
  const isExact = call.dialect.endpoint?.prompt(call.body).isExact === true;
  return { usage: { ...NO_USAGE, promptTokens }, estimated: !isExact };
}

/**
 * Determines the usage to charge. Uses upstream's numbers if they fit the generated output, and the tokenizer's if they
 * are missing, implausible, zero although text was generated, or (for a cut response) lower than what was generated. A
 * response without text and without tokens costs nothing.
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
