/** The packages of one client, as their registry names them. */
export type ClientPackages = {
  readonly registry: "npm" | "pypi";
  readonly packages: readonly string[];
  /** A program to run in the client's folder after installation, in place of the package's own install script. */
  readonly finish?: readonly string[];
};

/** Installs the packages of Python clients. */
export const UV_PACKAGE = "uv==0.13.9";

/** The releases that `make clients-test` runs, by the id of their snippet. */
export const CLIENT_PACKAGES: Readonly<Record<string, ClientPackages>> = {
  "claude-code": {
    registry: "npm",
    packages: ["@anthropic-ai/claude-code@2.1.332"],
    finish: ["node", "node_modules/@anthropic-ai/claude-code/install.cjs"],
  },
  codex: { registry: "npm", packages: ["@openai/codex@0.169.0"] },
  "gemini-cli": { registry: "npm", packages: ["@google/gemini-cli@0.61.0"] },
  opencode: {
    registry: "npm",
    packages: ["opencode-ai@1.18.33"],
    finish: ["node", "node_modules/opencode-ai/postinstall.mjs"],
  },
  aider: { registry: "pypi", packages: ["aider-chat==0.86.2"] },
  llm: { registry: "pypi", packages: ["llm==0.36"] },
  "openai-agents": { registry: "pypi", packages: ["openai-agents==0.24.0"] },
  "vercel-ai-sdk": { registry: "npm", packages: ["ai@7.0.173", "@ai-sdk/openai@4.0.118", "zod@4.6.7"] },
  langchain: { registry: "npm", packages: ["@langchain/openai@1.6.0", "@langchain/core@1.4.0", "zod@4.6.7"] },
  "pydantic-ai": { registry: "pypi", packages: ["pydantic-ai-slim[openai]==2.68.0"] },
};
