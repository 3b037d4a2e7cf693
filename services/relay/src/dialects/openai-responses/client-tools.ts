import type { Json } from "../../core/chat/chat.ts";
import { parseExactJson } from "../../core/chat/exact-json.ts";
import { asList, asNumber, asObject, asText, compact, parseJson } from "../../core/chat/json.ts";

/** The shell on the caller's machine. Source: OpenAI API reference, "Responses", tool `local_shell`. */
export const LOCAL_SHELL = "local_shell";
/** The search for further tools, which the caller runs itself if `execution` is `client`. */
export const TOOL_SEARCH = "tool_search";

const SHELL_PARAMETERS: Json = {
  type: "object",
  properties: {
    command: { type: "array", items: { type: "string" }, description: "The program and its arguments." },
    working_directory: { type: "string" },
    timeout_ms: { type: "number" },
  },
  required: ["command"],
};

/** The local shell as a function for chat. */
export const asShellFunction = (): Json => ({
  type: "function",
  function: {
    name: LOCAL_SHELL,
    description: "Runs a command on the user's machine and returns its output.",
    parameters: SHELL_PARAMETERS,
  },
});

/** The caller's tool search as a function for chat. */
export const asSearchFunction = ({ description, parameters }: Json): Json => ({
  type: "function",
  function: { name: TOOL_SEARCH, description, parameters },
});

/** The action of a shell call; a model that wrote one text instead of a list meant a command of a shell. */
export function shellAction(argumentsText: string): Json {
  const { command, working_directory, timeout_ms, env } = asObject(parseJson(argumentsText)) ?? {};
  const line = asText(command);
  return compact({
    type: "exec",
    command: line === undefined ? asList(command).map(String) : ["bash", "-lc", line],
    env: asObject(env) ?? {},
    working_directory: asText(working_directory),
    timeout_ms: asNumber(timeout_ms),
  });
}

/** The action of an earlier shell call as the arguments of that function. */
export function toActionArguments(action: unknown): string {
  const { command, working_directory, timeout_ms } = asObject(action) ?? {};
  return JSON.stringify({
    command,
    working_directory: working_directory ?? undefined,
    timeout_ms: timeout_ms ?? undefined,
  });
}

/** The arguments of a tool search, which its items carry as an object. */
export const searchArguments = (argumentsText: string): Json => asObject(parseExactJson(argumentsText)) ?? {};
