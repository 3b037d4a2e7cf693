/** What a snippet is filled with; `address` has no slash at its end. */
export type SnippetFacts = { readonly address: string; readonly key: string; readonly model: string };

const curl = ({ address, key, model }: SnippetFacts): string => `curl ${address}/v1/chat/completions \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{
    "model": "${model}",
    "messages": [{"role": "user", "content": "Hello!"}]
  }'`;

const python = ({ address, key, model }: SnippetFacts): string => `from openai import OpenAI

client = OpenAI(base_url="${address}/v1", api_key="${key}")
answer = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": "Hello!"}],
)
print(answer.choices[0].message.content)`;

const javascript = ({ address, key, model }: SnippetFacts): string => `import OpenAI from "openai";

const client = new OpenAI({ baseURL: "${address}/v1", apiKey: "${key}" });
const answer = await client.chat.completions.create({
  model: "${model}",
  messages: [{ role: "user", content: "Hello!" }],
});
console.log(answer.choices[0].message.content);`;

const anthropic = ({ address, key, model }: SnippetFacts): string => `import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic({ baseURL: "${address}", apiKey: "${key}" });
const answer = await client.messages.create({
  model: "${model}",
  max_tokens: 256,
  messages: [{ role: "user", content: "Hello!" }],
});
console.log(answer.content);`;

/** Ready-made first calls, by tool. */
export const SNIPPETS = [
  { id: "curl", label: "curl", code: curl },
  { id: "python", label: "Python", code: python },
  { id: "javascript", label: "JavaScript", code: javascript },
  { id: "anthropic", label: "Anthropic SDK", code: anthropic },
] as const;
