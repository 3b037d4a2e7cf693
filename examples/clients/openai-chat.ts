import OpenAI from "openai";
import { DESCRIPTION, getTime, NAME, PARAMETERS } from "./clock.ts";
import { CALLS_MAX, KEY, PROMPT, URL, WITH_COST } from "./settings.ts";

const client = new OpenAI({ baseURL: `${URL}/v1`, apiKey: KEY });
const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: PROMPT }];
let dollars = 0;

for (let call = 0; call < CALLS_MAX; call++) {
  const stream = client.chat.completions.stream({
    model: process.env["MODEL"] ?? "gpt-4o-mini",
    messages,
    tools: [{ type: "function", function: { name: NAME, description: DESCRIPTION, parameters: PARAMETERS } }],
    ...WITH_COST,
    stream_options: { include_usage: true },
  });
  stream.on("content", (piece) => process.stdout.write(piece));
  const { choices, usage } = await stream.finalChatCompletion();
  dollars += (usage as { cost?: number } | undefined)?.cost ?? 0;
  const message = choices[0]?.message;
  if (!message?.tool_calls?.length) break;
  messages.push(message);
  for (const { id, function: called } of message.tool_calls)
    messages.push({
      role: "tool",
      tool_call_id: id,
      content: getTime(JSON.parse(called.arguments) as { zone?: unknown }),
    });
}
process.stdout.write(`\ncost: $${dollars}\n`);
