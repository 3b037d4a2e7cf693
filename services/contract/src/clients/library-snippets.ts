import type { ClientSnippet } from "./snippet.ts";

const curl: ClientSnippet = {
  id: "curl",
  label: "curl",
  blocks: ({ address, key, model }) => [
    {
      language: "sh",
      code: `curl ${address}/v1/chat/completions \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{
    "model": "${model}",
    "messages": [{"role": "user", "content": "Hello!"}]
  }'`,
    },
  ],
};

const python: ClientSnippet = {
  id: "openai-python",
  label: "Python",
  blocks: ({ address, key, model }) => [
    {
      language: "python",
      code: `from openai import OpenAI

client = OpenAI(base_url="${address}/v1", api_key="${key}")
completion = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": "Hello!"}],
)
print(completion.choices[0].message.content)`,
    },
  ],
};

const typescript: ClientSnippet = {
  id: "openai-typescript",
  label: "TypeScript",
  blocks: ({ address, key, model }) => [
    {
      language: "ts",
      code: `import OpenAI from "openai";

const client = new OpenAI({ baseURL: "${address}/v1", apiKey: "${key}" });
const completion = await client.chat.completions.create({
  model: "${model}",
  messages: [{ role: "user", content: "Hello!" }],
});
console.log(completion.choices[0].message.content);`,
    },
  ],
};

const anthropic: ClientSnippet = {
  id: "anthropic-sdk",
  label: "Anthropic SDK",
  blocks: ({ address, key, model }) => [
    {
      language: "ts",
      code: `import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic({ baseURL: "${address}", apiKey: "${key}" });
const message = await client.messages.create({
  model: "${model}",
  max_tokens: 256,
  messages: [{ role: "user", content: "Hello!" }],
});
console.log(message.content);`,
    },
  ],
};

const agents: ClientSnippet = {
  id: "openai-agents",
  label: "OpenAI Agents",
  blocks: ({ address, key, model }) => [
    {
      language: "python",
      code: `from agents import Agent, Runner, set_default_openai_client, set_tracing_disabled
from openai import AsyncOpenAI

set_default_openai_client(AsyncOpenAI(base_url="${address}/v1", api_key="${key}"))
set_tracing_disabled(True)
agent = Agent(name="Assistant", model="${model}")
print(Runner.run_sync(agent, "Hello!").final_output)`,
    },
  ],
};

const vercel: ClientSnippet = {
  id: "vercel-ai-sdk",
  label: "Vercel AI SDK",
  blocks: ({ address, key, model }) => [
    {
      language: "ts",
      code: `import { createOpenAI } from "@ai-sdk/openai";
import { generateText } from "ai";

const turnpike = createOpenAI({ baseURL: "${address}/v1", apiKey: "${key}" });
const { text } = await generateText({ model: turnpike("${model}"), prompt: "Hello!" });
console.log(text);`,
    },
  ],
};

const langchain: ClientSnippet = {
  id: "langchain",
  label: "LangChain",
  blocks: ({ address, key, model }) => [
    {
      language: "ts",
      code: `import { ChatOpenAI } from "@langchain/openai";

const model = new ChatOpenAI({
  model: "${model}",
  apiKey: "${key}",
  configuration: { baseURL: "${address}/v1" },
});
console.log((await model.invoke("Hello!")).text);`,
    },
  ],
};

const pydantic: ClientSnippet = {
  id: "pydantic-ai",
  label: "Pydantic AI",
  blocks: ({ address, key, model }) => [
    {
      language: "python",
      code: `from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

provider = OpenAIProvider(base_url="${address}/v1", api_key="${key}")
agent = Agent(OpenAIChatModel("${model}", provider=provider))
print(agent.run_sync("Hello!").output)`,
    },
  ],
};

/** SDKs and frameworks, each as a program that runs as it is. */
export const LIBRARY_SNIPPETS = {
  first: [curl, python, typescript, anthropic],
  frameworks: [agents, vercel, langchain, pydantic],
} as const;
