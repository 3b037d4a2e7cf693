import { type Client, functionSteps, PYTHON_TOOL, toNotes, toScript } from "./client.ts";

const TURNS = 5;

/** A framework whose snippet runs as it is, then makes the task's tool loop with the snippet's own client. */
const toFramework = (id: string, toLines: (prompt: string, model: string) => string, env = {}): Client => ({
  id,
  additions: (prompt, { model }) => ({ lines: toLines(JSON.stringify(prompt), JSON.stringify(model)), env }),
  script: () => toScript(functionSteps(TURNS)),
  notes: toNotes(TURNS),
});

const openaiAgents = toFramework(
  "openai-agents",
  (prompt, model) => `
from agents import function_tool

${PYTHON_TOOL}
worker = Agent(name="Worker", model=${model}, tools=[function_tool(append_line)])
print(Runner.run_sync(worker, ${prompt}, max_turns=20).final_output)`,
);

const pydantic = toFramework(
  "pydantic-ai",
  (prompt, model) => `
${PYTHON_TOOL}
worker = Agent(OpenAIChatModel(${model}, provider=provider), tools=[append_line])
print(worker.run_sync(${prompt}).output)`,
);

const TYPESCRIPT_TOOL = `
import { appendFileSync } from "node:fs";
import { z } from "zod";

const inputSchema = z.object({ line: z.string() });
const appendLine = ({ line }: { line: string }): string => {
  appendFileSync("notes.txt", line + "\\n");
  return "appended " + line;
};
`;

const vercel = toFramework(
  "vercel-ai-sdk",
  (prompt, model) => `${TYPESCRIPT_TOOL}
import { stepCountIs, streamText, tool } from "ai";

const tools = { append_line: tool({ description: "Appends a line.", inputSchema, execute: async (input) => appendLine(input) }) };
const streamed = streamText({ model: turnpike(${model}), prompt: ${prompt}, tools, stopWhen: stepCountIs(20) });
for await (const part of streamed.textStream) process.stdout.write(part);`,
);

const langchain = toFramework(
  "langchain",
  (prompt) => `${TYPESCRIPT_TOOL}
import { HumanMessage, type BaseMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";

const append = tool(appendLine, { name: "append_line", description: "Appends a line.", schema: inputSchema });
const messages: BaseMessage[] = [new HumanMessage(${prompt})];
for (;;) {
  const message = await model.bindTools([append]).invoke(messages);
  messages.push(message);
  if (!message.tool_calls?.length) break;
  for (const call of message.tool_calls) messages.push(await append.invoke(call));
}
console.log(messages.at(-1)?.text);`,
  { LANGSMITH_TRACING: "false" },
);

export const FRAMEWORKS: readonly Client[] = [openaiAgents, vercel, langchain, pydantic];
