import type { Json } from "../../core/chat/chat.ts";
import { asList, asNumber, asObject, asObjects, asText, parseJson } from "../../core/chat/json.ts";

/** The shell whose commands the caller runs. Source: OpenAI API reference, "Responses", tool `shell`. */
export const SHELL = "shell";

const PARAMETERS: Json = {
  type: "object",
  properties: {
    commands: { type: "array", items: { type: "string" }, description: "Shell commands, run in this order." },
    timeout_ms: { type: "integer" },
    max_output_length: { type: "integer", description: "The most characters of output to return." },
  },
  required: ["commands"],
};

/** Whether the caller runs the commands: the provider runs those of a container. */
export const isCallersShell = ({ type, environment }: Json): boolean =>
  type === SHELL && (asObject(environment)?.["type"] ?? "local") === "local";

/** The shell as a function for chat. */
export const asCommandsFunction = (): Json => ({
  type: "function",
  function: {
    name: SHELL,
    description: "Runs shell commands on the user's machine and returns their output.",
    parameters: PARAMETERS,
  },
});

/** The fields of a shell call; a model that wrote one text instead of a list meant one command. */
export function writeCommands(argumentsText: string): Json {
  const { commands, timeout_ms, max_output_length } = asObject(parseJson(argumentsText)) ?? {};
  const line = asText(commands);
  return {
    action: {
      commands: line === undefined ? asList(commands).map(String) : [line],
      timeout_ms: asNumber(timeout_ms) ?? null,
      max_output_length: asNumber(max_output_length) ?? null,
    },
    environment: { type: "local" },
  };
}

function writeResult({ stdout, stderr, outcome }: Json): string {
  const { type, exit_code: code } = asObject(outcome) ?? {};
  const exitCode = asNumber(code) ?? 0;
  const ending = type === "timeout" ? "timed out" : exitCode === 0 ? "" : `exit code ${exitCode}`;
  return [asText(stdout), asText(stderr), ending].filter(Boolean).join("\n");
}

/** The output of a shell call as text. */
export const toShellText = (output: unknown): string => asText(output) ?? asObjects(output).map(writeResult).join("\n");
