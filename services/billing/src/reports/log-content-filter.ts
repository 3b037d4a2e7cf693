import type { LogRow } from "@turnpike/proto/billing/v1/log_service";

/** Details that may be as long as a book: what was asked and answered. */
const CONTENTS = ["input_content", "output_content", "context", "system_prompt"] as const;
/** No details without contents are longer. */
const PLAIN_LENGTH_MAX = 2_000;

/** The row without the texts of prompts and answers, for reads of many rows. Details that cannot be read are left out. */
export function stripContents(row: LogRow): LogRow {
  if (row.otherJson.length <= PLAIN_LENGTH_MAX && !CONTENTS.some((name) => row.otherJson.includes(name))) return row;
  try {
    const details = JSON.parse(row.otherJson) as Record<string, unknown>;
    for (const name of CONTENTS) delete details[name];
    return { ...row, otherJson: JSON.stringify(details) };
  } catch {
    return { ...row, otherJson: "{}" };
  }
}
