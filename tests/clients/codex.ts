import { join } from "node:path";
import { type Client, quote, toNotes, toScript } from "./client.ts";
import type { Step } from "./conversation.ts";

const MCP_SERVER = join(import.meta.dirname, "notes-mcp-server.ts");
const TURNS = 6;

const FLAGS = [
  "--skip-git-repo-check",
  "--dangerously-bypass-approvals-and-sandbox",
  "-c check_for_update_on_startup=false",
  "-c analytics.enabled=false",
].join(" ");

/** Codex's own shell and the MCP server's tool in turn. */
function toStep(index: number): Step {
  const line = `line-${index + 1}`;
  return index % 2 === 0
    ? { name: "exec_command", arguments: { cmd: `echo ${line} | tee -a notes.txt` }, result: line }
    : { name: "append_line", namespace: "mcp__notes", arguments: { line }, result: `appended ${line}` };
}

const MCP = `[mcp_servers.notes]\ncommand = "node"\nargs = ["${MCP_SERVER}"]\n`;
const steps = Array.from({ length: TURNS }, (_, index) => toStep(index));

const codex: Client = {
  id: "codex",
  additions: (prompt) => ({
    args: `exec ${FLAGS} ${quote(prompt)}`,
    inFiles: { "~/.codex/config.toml": `\n${MCP}` },
  }),
  script: () => toScript(steps),
  notes: toNotes(TURNS),
};

/** Codex compacts at the provider only where this is called OpenAI. */
const AS_OPENAI = "-c model_providers.turnpike.name=OpenAI -c model_auto_compact_token_limit=200000";

const overWebSocket: Client = {
  ...codex,
  variant: "over a WebSocket, with a compaction",
  usesWebSocket: true,
  additions: (prompt) => ({
    args: `exec ${FLAGS} ${AS_OPENAI} ${quote(prompt)}`,
    inFiles: { "~/.codex/config.toml": `supports_websockets = true\n\n${MCP}` },
  }),
  script: () => ({ ...toScript(steps), compactsAfter: 3 }),
};

/** Codex as it comes, with an MCP server, and with what it does at OpenAI alone. */
export const CODEX: readonly Client[] = [overWebSocket, { ...codex, needsAllKinds: true }];
