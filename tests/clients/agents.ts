import { type Client, functionSteps, PYTHON_TOOL, quote, shellSteps, toNotes, toScript } from "./client.ts";

const TURNS = 10;

const claudeCode: Client = {
  id: "claude-code",
  needsAllKinds: true,
  additions: (prompt) => ({
    args: `--print --dangerously-skip-permissions --output-format json ${quote(prompt)}`,
    env: {
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_TELEMETRY: "1",
      // It refuses to skip permissions as root unless the machine is a sandbox.
      IS_SANDBOX: "1",
    },
  }),
  script: () =>
    toScript(
      shellSteps(TURNS, (command, result) => ({
        name: "Bash",
        arguments: { command, description: "Appends a line" },
        result,
      })),
    ),
  notes: toNotes(TURNS),
};

const gemini: Client = {
  id: "gemini-cli",
  additions: (prompt) => ({
    args: `--yolo --output-format json --prompt ${quote(prompt)}`,
    files: {
      // Next to the user's settings, which are the snippet's.
      ".gemini/settings.json": JSON.stringify({
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      }),
    },
    env: { GEMINI_CLI_TRUST_WORKSPACE: "true" },
  }),
  script: () =>
    toScript(
      shellSteps(5, (command, result) => ({
        name: "run_shell_command",
        arguments: { command, description: "Appends a line" },
        result,
      })),
    ),
  notes: toNotes(5),
};

const opencode: Client = {
  id: "opencode",
  additions: (prompt) => ({
    args: `run ${quote(prompt)}`,
    env: { OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_AUTOUPDATE: "1" },
  }),
  script: () =>
    toScript(
      shellSteps(5, (command, result) => ({
        name: "bash",
        arguments: { command, description: "Appends a line" },
        result,
      })),
    ),
  notes: toNotes(5),
};

const llm: Client = {
  id: "llm",
  additions: (prompt) => ({
    files: { "tools.py": PYTHON_TOOL },
    lines: `llm --model turnpike --functions tools.py --chain-limit 20 ${quote(prompt)}`,
  }),
  script: () => toScript(functionSteps(5)),
  notes: toNotes(5),
};

export const AGENTS: readonly Client[] = [claudeCode, gemini, llm, opencode];
