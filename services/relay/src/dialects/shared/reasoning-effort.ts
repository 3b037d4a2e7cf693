import type { ChatRequest } from "../../core/chat/chat.ts";
import { invalidField, optionalObject, optionalTokenBound } from "./fields.ts";

/** Parses Anthropic's `thinking`: enabled with a budget, adaptive, or disabled. Throws RelayError invalid_request. */
export function parseThinking(value: unknown): ChatRequest["reasoning"] {
  const thinking = optionalObject(value, "thinking");
  switch (thinking?.["type"]) {
    case undefined:
      if (thinking) throw invalidField("thinking.type", "must be given");
      return undefined;
    case "enabled": {
      const budgetTokens = optionalTokenBound(thinking?.["budget_tokens"], "thinking.budget_tokens");
      return budgetTokens === undefined ? {} : { budgetTokens };
    }
    case "adaptive":
      return {};
    case "disabled":
    case "between_tools":
      return { budgetTokens: 0 };
    default:
      throw invalidField("thinking.type", "must be enabled, adaptive or disabled");
  }
}
