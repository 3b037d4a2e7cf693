import type { Json } from "../../../core/chat/chat.ts";
import { asNumber, asObject } from "../../../core/chat/json.ts";
import { isEffort } from "../../../core/chat/reasoning.ts";
import type { Target } from "../../contract/target.ts";
import { claudeThinking, splitThinking } from "./claude-thinking.ts";
import { removeUnsignedReasoning } from "./unsigned-reasoning.ts";

/**
 * Adapts a caller's own messages body for Claude: a `-thinking` name suffix becomes the parameter, and other models'
 * reasoning is removed. Otherwise returns the same object.
 */
export function adaptAnthropicBody(sent: Json, { model: name, settings }: Target): Json {
  const body = removeUnsignedReasoning(sent);
  const { model, isThinking } = splitThinking(name, settings);
  if (!isThinking) return body;
  const { temperature: _temperature, top_p: _topP, top_k: _topK, ...rest } = body;
  const config = asObject(body["output_config"]);
  const given = config?.["effort"];
  const { maxTokens, thinking, effort, isOn } = claudeThinking({
    model,
    maxOutputTokens: asNumber(body["max_tokens"]),
    reasoning: isEffort(given) ? { effort: given } : undefined,
    suffixShare: settings.claudeThinkingAdapter.budgetShare,
    settings,
  });
  if (!isOn) return { ...body, model };
  return {
    ...rest,
    model,
    max_tokens: maxTokens,
    thinking,
    ...(effort === undefined ? {} : { output_config: { ...config, effort } }),
  };
}
