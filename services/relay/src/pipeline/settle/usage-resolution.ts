import type { TokenUsage } from "@turnpike/contract/pricing/quota";
import { type IterationUsage, NO_USAGE, withParts } from "@turnpike/contract/pricing/usage";
import type { ReportedUsage } from "../../core/chat/chat.ts";
import { type CutReasoning, estimateHiddenTokens } from "../../accounting/tokens/hidden-reasoning.ts";
import { promptText } from "../../accounting/tokens/token-estimate.ts";
import type { GeneratedText } from "../../accounting/tokens/generated-text.ts";
import type { Tokenizer } from "../../accounting/tokens/tokenizer.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";

export type ResolvedUsage = { readonly usage: TokenUsage; readonly estimated: boolean };

/** No model reads or writes that many tokens in one call. */
const TOKENS_MAX = 1_000_000_000;
/** Whether upstream's reported usage is plausible. */
export const isCredible = (usage: TokenUsage): boolean => usage.promptTokens + usage.completionTokens <= TOKENS_MAX;

/** Whether upstream counted what it generated, or requests of its own within the call. */
const hasOutputCount = ({ completionTokens, iterations }: TokenUsage): boolean =>
  completionTokens > 0 || iterations !== undefined;

/** The usage of a response without output: its prompt, where upstream counted it. */
const getCountedPrompt = (reported: ReportedUsage): TokenUsage =>
  reported !== undefined && reported.promptTokens > 0 ? reported : NO_USAGE;

/** Tool calls run by upstream are charged separately from tokens, even if no text followed. */
const hasTools = (reported: ReportedUsage): boolean => Object.keys(reported?.toolCalls ?? {}).length > 0;

const credible = (reported: ReportedUsage): ReportedUsage => (reported && isCredible(reported) ? reported : undefined);

/** The prompt's tokens, with those of the conversation that upstream stores. */
async function estimatePrompt(call: RelayCall, tokenizer: Tokenizer): Promise<number> {
  const {
    text,
    texts = [text],
    extraTokens,
  } = call.dialect.endpoint?.prompt(call.body) ?? promptText(call.body, call.model);
  const otherTokens = extraTokens + ((await call.readContextTokens?.()) ?? 0);
  if (text === "") return otherTokens;
  const counts = await tokenizer.count(texts);
  return counts.reduce((sum, tokens) => sum + tokens, otherTokens);
}

/** For endpoints whose responses have no completion tokens: only the request is charged, once anything was returned. */
async function countPromptUsage(
  call: RelayCall,
  reported: ReportedUsage,
  tokenizer: Tokenizer,
): Promise<ResolvedUsage> {
  if (reported && reported.promptTokens + reported.completionTokens > 0) return { usage: reported, estimated: false };
  const promptTokens = await estimatePrompt(call, tokenizer);
  const { isExact, seconds } = call.dialect.endpoint?.prompt(call.body) ?? {};
  return { usage: withParts({ ...NO_USAGE, promptTokens }, { seconds }), estimated: isExact !== true };
}

/** The generated tokens, with hidden reasoning as learned unless upstream has reported more. */
function withHiddenReasoning(
  visibleTokens: number,
  cut: CutReasoning | undefined,
  reported: ReportedUsage,
): Pick<TokenUsage, "completionTokens" | "reasoningTokens"> {
  const { completionTokens = 0, reasoningTokens = 0 } = reported ?? {};
  const hiddenTokens = cut ? estimateHiddenTokens(cut, visibleTokens) : 0;
  return {
    completionTokens: Math.max(visibleTokens + hiddenTokens, completionTokens),
    reasoningTokens: Math.max(hiddenTokens, reasoningTokens),
  };
}

/** Whether upstream began a request of its own within the call and had not reported its tokens when the response was cut. */
const isUncounted = ({ usage }: IterationUsage): boolean => usage.promptTokens + usage.completionTokens === 0;

/** Estimates may be this far above what upstream counts. */
const SURE_SHARE = 0.5;

/**
 * The usage of a cut response with the prompt of a compaction that upstream had begun. It reads the whole conversation; what upstream
 * reported as the prompt may be that, or the shorter one with which it went on, which is charged in addition.
 */
async function withUncountedPrompts(usage: TokenUsage, estimate: () => Promise<number>): Promise<TokenUsage> {
  const { iterations = [], ...others } = usage;
  if (!iterations.some(isUncounted)) return usage;
  const promptTokens = await estimate();
  if (usage.promptTokens >= promptTokens * SURE_SHARE)
    return withParts(others, { iterations: iterations.filter((iteration) => !isUncounted(iteration)) });
  const read = { ...NO_USAGE, promptTokens };
  return { ...usage, iterations: iterations.map((one) => (isUncounted(one) ? { ...one, usage: read } : one)) };
}

/** Whether more may have been generated than upstream reported. */
const isCut = ({ wasCut, isReportFinal = false }: { wasCut: boolean; isReportFinal?: boolean }): boolean =>
  wasCut && !isReportFinal;

/**
 * Determines the usage to charge. Uses upstream's numbers if they fit the generated output, and the tokenizer's if they
 * are missing, implausible, zero although text was generated, or (for a cut response) lower than what was generated. A
 * prompt that upstream counted is charged although its response is empty, as one that a content filter stopped. A
 * response without text and without tokens costs nothing, unless the client disconnected.
 */
export async function resolveUsage(input: {
  call: RelayCall;
  reported: ReportedUsage;
  produced: GeneratedText;
  wasCut: boolean;
  /** Upstream ended the response itself, as failed, and reported its usage: nothing more was generated. */
  isReportFinal?: boolean;
  /** The client disconnected when upstream had the prompt, which is charged even if nothing was generated. */
  isPromptDue: boolean;
  /** For a response with hidden reasoning whose client disconnected. */
  cut: CutReasoning | undefined;
  tokenizer: Tokenizer;
}): Promise<ResolvedUsage> {
  const { call, produced, isPromptDue, cut, tokenizer } = input;
  const wasCut = isCut(input);
  const reported = credible(input.reported);
  if (call.dialect.endpoint?.promptOnly) {
    const isUnserved = wasCut && !isPromptDue && call.firstByteAtMs === undefined;
    return isUnserved ? { usage: NO_USAGE, estimated: false } : countPromptUsage(call, reported, tokenizer);
  }
  if (!wasCut && reported !== undefined && hasOutputCount(reported)) return { usage: reported, estimated: false };
  if (produced.isEmpty() && !hasTools(reported) && !isPromptDue)
    return { usage: wasCut ? NO_USAGE : getCountedPrompt(reported), estimated: false };
  const completion = withHiddenReasoning(await produced.tokens(), cut, reported);
  const promptTokens =
    reported && reported.promptTokens > 0 ? reported.promptTokens : await estimatePrompt(call, tokenizer);
  const usage = { ...NO_USAGE, ...reported, promptTokens, ...completion };
  return { usage: await withUncountedPrompts(usage, () => estimatePrompt(call, tokenizer)), estimated: true };
}
