import type { LogRow } from "@turnpike/proto/billing/v1/log_service";

/** Details of unbounded length: request and response contents. */
const CONTENTS = ["input_content", "output_content", "context", "system_prompt"] as const;
/** Maximum length of details without contents. */
const PLAIN_LENGTH_MAX = 2_000;

/** The row without prompt and response texts, for reads of many rows. Details that cannot be parsed are omitted. */
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
