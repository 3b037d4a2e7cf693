import OpenAI from "openai";
import { DESCRIPTION, getTime, NAME, PARAMETERS } from "./clock.ts";
import { CALLS_MAX, KEY, PROMPT, URL, WITH_COST } from "./settings.ts";

const client = new OpenAI({ baseURL: `${URL}/v1`, apiKey: KEY });
let input: OpenAI.Responses.ResponseInput = [{ role: "user", content: PROMPT }];
let previousId: string | undefined;
let dollars = 0;

for (let call = 0; call < CALLS_MAX; call++) {
  const stream = client.responses.stream({
    model: process.env["MODEL"] ?? "gpt-4o-mini",
    input,
    tools: [{ type: "function", name: NAME, description: DESCRIPTION, parameters: PARAMETERS, strict: false }],
    // The conversation is stored at the provider or, where it stores none, by Turnpike.
    ...(previousId === undefined ? {} : { previous_response_id: previousId }),
    ...WITH_COST,
  });
  stream.on("response.output_text.delta", ({ delta }) => process.stdout.write(delta));
  const response = await stream.finalResponse();
  dollars += (response.usage as { cost?: number } | undefined)?.cost ?? 0;
  previousId = response.id;
  input = response.output
    .filter((item) => item.type === "function_call")
    .map((item) => ({
      type: "function_call_output",
      call_id: item.call_id,
      output: getTime(JSON.parse(item.arguments) as { zone?: unknown }),
    }));
  if (input.length === 0) break;
}
process.stdout.write(`\ncost: $${dollars}\n`);
