import Anthropic from "@anthropic-ai/sdk";
import { DESCRIPTION, getTime, NAME, PARAMETERS } from "./clock.ts";
import { CALLS_MAX, KEY, PROMPT, URL, WITH_COST } from "./settings.ts";

const client = new Anthropic({ baseURL: URL, apiKey: KEY });
const messages: Anthropic.MessageParam[] = [{ role: "user", content: PROMPT }];
let dollars = 0;

for (let call = 0; call < CALLS_MAX; call++) {
  const stream = client.messages.stream({
    model: process.env["MODEL"] ?? "claude-sonnet-4-5",
    max_tokens: 2_000,
    messages,
    tools: [{ name: NAME, description: DESCRIPTION, input_schema: PARAMETERS }],
    ...WITH_COST,
  });
  stream.on("text", (piece) => process.stdout.write(piece));
  stream.on("streamEvent", (event) => {
    if (event.type === "message_delta") dollars += (event.usage as { cost?: number }).cost ?? 0;
  });
  const { content } = await stream.finalMessage();
  const calls = content.filter((block) => block.type === "tool_use");
  if (calls.length === 0) break;
  messages.push(
    { role: "assistant", content },
    {
      role: "user",
      content: calls.map(({ id, input }) => ({
        type: "tool_result",
        tool_use_id: id,
        content: getTime(input as { zone?: unknown }),
      })),
    },
  );
}
process.stdout.write(`\ncost: $${dollars}\n`);
