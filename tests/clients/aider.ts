import { type Client, FINAL_TEXT, MARK, quote, toNotes } from "./client.ts";

/** aider gives up after three failed tests of its edits. */
const TURNS = 4;

/** Passes once the notes are complete; its output reports to the model how many lines they have. */
const CHECK = `lines=$(wc -l < notes.txt)
echo "notes.txt has $lines of ${TURNS} lines."
test "$lines" -eq ${TURNS}
`;

const toEdit = (turn: number): string => {
  const before = toNotes(turn);
  return `Step ${turn + 1}.

notes.txt
\`\`\`
<<<<<<< SEARCH
${before}=======
${before}line-${turn + 1}
>>>>>>> REPLACE
\`\`\`
`;
};

/** It edits by text and repeats while its test fails: each turn adds a line, and the test reports how many there are. */
export const aider: Client = {
  id: "aider",
  additions: (prompt) => ({
    args: [
      "--yes-always --no-git --no-gitignore --no-pretty --no-check-update --no-show-release-notes --no-show-model-warnings",
      `--edit-format diff --map-tokens 0 --auto-test --test-cmd ${quote("sh check.sh")}`,
      `--message ${quote(prompt)} notes.txt`,
    ].join(" "),
    files: { "check.sh": CHECK, "notes.txt": "" },
    env: { AIDER_ANALYTICS: "false", AIDER_ANALYTICS_DISABLE: "true", LITELLM_LOCAL_MODEL_COST_MAP: "True" },
  }),
  script: () => ({
    mark: MARK,
    steps: [],
    finalText: FINAL_TEXT,
    texts: {
      countTurns: ({ promptText }) =>
        Math.max(0, ...Array.from(promptText.matchAll(/notes\.txt has (\d+) of/g), ([, lines]) => Number(lines))),
      turns: Array.from({ length: TURNS }, (_, turn) => (turn === TURNS - 1 ? `${FINAL_TEXT}\n` : "") + toEdit(turn)),
    },
  }),
  notes: toNotes(TURNS),
};
