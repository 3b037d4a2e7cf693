import type { Json } from "../../chat/chat.ts";
import { asNumber, asObject } from "../../chat/json.ts";
import { isEffort } from "../../chat/reasoning.ts";
import type { Target } from "../provider.ts";
import { claudeThinking, splitThinking } from "./claude-thinking.ts";

/** A caller's own messages body under a `-thinking` name: the suffix becomes the switch. Otherwise the very same object. */
export function adaptAnthropicBody(body: Json, { model: name, settings }: Target): Json {
  const { model, isThinking } = splitThinking(name, settings);
  if (!isThinking) return body;
  const { temperature: _temperature, top_p: _topP, top_k: _topK, ...rest } = body;
  const config = asObject(body["output_config"]);
  const given = config?.["effort"];
  const { maxTokens, thinking, effort } = claudeThinking({
    model,
    maxOutputTokens: asNumber(body["max_tokens"]),
    reasoning: isEffort(given) ? { effort: given } : undefined,
    suffixShare: settings.claudeThinkingAdapter.budgetShare,
    settings,
  });
  return {
    ...rest,
    model,
    max_tokens: maxTokens,
    thinking,
    ...(effort === undefined ? {} : { output_config: { ...config, effort } }),
  };
}
