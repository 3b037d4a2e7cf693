import type { OwnTools } from "../../core/call/dialect.ts";
import type { Json } from "../../core/chat/chat.ts";
import { asObject, asObjects } from "../../core/chat/json.ts";
import { invalidField } from "../shared/fields.ts";
import { either } from "./gemini-content.ts";
import { isPlainSearch } from "./gemini-web-search.ts";

const DECLARATIONS = /^function_?declarations$/i;
/** The tools that Google runs itself. Source: Gemini API reference, "Tool". */
const PROVIDER_RUN =
  /^(google_?search(_?retrieval)?|enterprise_?web_?search|code_?execution|url_?context|google_?maps|file_?search|retrieval|mcp_?servers|(exa|parallel)_?ai_?search)$/i;

/** The fields of a tool that are neither functions nor tools that Google runs. */
export const findUnknownTool = (tool: Json): string | undefined =>
  Object.keys(tool).find((name) => !DECLARATIONS.test(name) && !PROVIDER_RUN.test(name));

/** Whether the model must call a tool, and is offered none that other providers have. */
function isForced(body: Json): boolean {
  const config = asObject(either(body, "toolConfig", "tool_config")) ?? {};
  const calling = asObject(either(config, "functionCallingConfig", "function_calling_config"));
  if (calling?.["mode"] !== "ANY") return false;
  return !asObjects(body["tools"]).some((tool) =>
    Object.entries(tool).some(([name, value]) => DECLARATIONS.test(name) || isPlainSearch(name, value)),
  );
}

const hasOwnTool = (tool: Json): boolean =>
  Object.entries(tool).some(([name, value]) => !DECLARATIONS.test(name) && !isPlainSearch(name, value));

/** The tools of a call that only Google has: those that it runs are optional, those that the caller runs (computer use) are not. */
export function getOwnTools(body: Json): OwnTools | undefined {
  const tools = asObjects(body["tools"]);
  if (!tools.some(hasOwnTool)) return undefined;
  return tools.some((tool) => findUnknownTool(tool) !== undefined) || isForced(body) ? "required" : "optional";
}

/** Throws invalid_request if the model must call a tool that only Google has. */
export function refuseForcedOwnTool(body: Json): void {
  if (asObjects(body["tools"]).length > 0 && isForced(body))
    throw invalidField("toolConfig.functionCallingConfig.mode", "requires a tool that this model does not have");
}
