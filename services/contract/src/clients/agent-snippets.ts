import type { ClientSnippet } from "./snippet.ts";

const claudeCode: ClientSnippet = {
  id: "claude-code",
  label: "Claude Code",
  blocks: ({ address, key, model }) => [
    {
      language: "sh",
      code: `export ANTHROPIC_BASE_URL=${address}
export ANTHROPIC_AUTH_TOKEN=${key}
export ANTHROPIC_DEFAULT_HAIKU_MODEL=${model}
claude --model ${model}`,
    },
  ],
};

const codex: ClientSnippet = {
  id: "codex",
  label: "Codex",
  blocks: ({ address, key, model }) => [
    {
      path: "~/.codex/config.toml",
      language: "toml",
      code: `model = "${model}"
model_provider = "turnpike"

[model_providers.turnpike]
name = "Turnpike"
base_url = "${address}/v1"
env_key = "TURNPIKE_API_KEY"
wire_api = "responses"`,
    },
    { language: "sh", code: `export TURNPIKE_API_KEY=${key}\ncodex` },
  ],
};

const gemini: ClientSnippet = {
  id: "gemini-cli",
  label: "Gemini CLI",
  blocks: ({ address, key, model }) => [
    {
      path: "~/.gemini/settings.json",
      language: "json",
      code: `{
  "security": { "auth": { "selectedType": "gemini-api-key" } }
}`,
    },
    {
      language: "sh",
      code: `export GOOGLE_GEMINI_BASE_URL=${address}
export GEMINI_API_KEY=${key}
gemini --model ${model}`,
    },
  ],
};

const opencode: ClientSnippet = {
  id: "opencode",
  label: "opencode",
  blocks: ({ address, key, model }) => [
    {
      path: "~/.config/opencode/opencode.json",
      language: "json",
      code: `{
  "$schema": "https://opencode.ai/config.json",
  "provider": {
    "turnpike": {
      "npm": "@ai-sdk/openai-compatible",
      "name": "Turnpike",
      "options": {
        "baseURL": "${address}/v1",
        "apiKey": "{env:TURNPIKE_API_KEY}"
      },
      "models": { "${model}": {} }
    }
  }
}`,
    },
    { language: "sh", code: `export TURNPIKE_API_KEY=${key}\nopencode --model turnpike/${model}` },
  ],
};

const aider: ClientSnippet = {
  id: "aider",
  label: "aider",
  blocks: ({ address, key, model }) => [
    {
      language: "sh",
      code: `export OPENAI_API_BASE=${address}/v1
export OPENAI_API_KEY=${key}
aider --model openai/${model} --weak-model openai/${model}`,
    },
  ],
};

const llm: ClientSnippet = {
  id: "llm",
  label: "llm",
  blocks: ({ address, key, model }) => [
    {
      path: "~/.config/io.datasette.llm/extra-openai-models.yaml",
      language: "yaml",
      code: `- model_id: turnpike
  model_name: "${model}"
  api_base: "${address}/v1"
  api_key_name: turnpike
  supports_tools: true`,
    },
    { language: "sh", code: `llm keys set turnpike --value ${key}\nllm --model turnpike "Hello!"` },
  ],
};

/** Coding agents and command-line clients. */
export const AGENT_SNIPPETS = [claudeCode, codex, gemini, opencode, aider, llm] as const;
