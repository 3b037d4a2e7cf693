import { type Content, GoogleGenAI, type Part } from "@google/genai";
import { DESCRIPTION, getTime, NAME, PARAMETERS } from "./clock.ts";
import { CALLS_MAX, KEY, PROMPT, URL, WITH_COST } from "./settings.ts";

const client = new GoogleGenAI({ apiKey: KEY, httpOptions: { baseUrl: URL } });
const contents: Content[] = [{ role: "user", parts: [{ text: PROMPT }] }];
let dollars = 0;

for (let call = 0; call < CALLS_MAX; call++) {
  const stream = await client.models.generateContentStream({
    model: process.env["MODEL"] ?? "gemini-2.5-flash",
    contents,
    config: {
      tools: [{ functionDeclarations: [{ name: NAME, description: DESCRIPTION, parametersJsonSchema: PARAMETERS }] }],
      httpOptions: { extraBody: WITH_COST },
    },
  });
  const parts: Part[] = [];
  for await (const chunk of stream) {
    for (const part of chunk.candidates?.[0]?.content?.parts ?? []) {
      parts.push(part);
      if (part.text !== undefined && part.thought !== true) process.stdout.write(part.text);
    }
    dollars += (chunk.usageMetadata as { cost?: number } | undefined)?.cost ?? 0;
  }
  const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
  if (calls.length === 0) break;
  contents.push(
    { role: "model", parts },
    {
      role: "user",
      parts: calls.map(({ id, name = NAME, args = {} }) => ({
        functionResponse: { ...(id === undefined ? {} : { id }), name, response: { result: getTime(args) } },
      })),
    },
  );
}
process.stdout.write(`\ncost: $${dollars}\n`);
