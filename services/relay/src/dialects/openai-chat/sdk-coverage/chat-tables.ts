import type { CoverageTable } from "../../sdk-coverage/coverage-table.ts";
import { ANNOTATIONS, CHUNK_FINISH_REASONS, DELTA_FIELDS, FINISH_REASONS, MESSAGE_FIELDS } from "./completions.ts";
import { ASSISTANT_PARTS, CONTENT_PARTS, MESSAGE_CALLS, MESSAGES } from "./messages.ts";
import { EFFORTS, IMAGE_DETAILS, SERVICE_TIERS } from "./request-values.ts";
import { RESPONSE_FORMATS, TOOL_CHOICES, TOOLS } from "./tools.ts";
import { COMPLETION_USAGE, PROMPT_USAGE, USAGE_FIELDS } from "./usage.ts";

/** What the SDK declares for chat completions. */
export const CHAT_TABLES: readonly CoverageTable[] = [
  MESSAGES,
  CONTENT_PARTS,
  IMAGE_DETAILS,
  ASSISTANT_PARTS,
  MESSAGE_CALLS,
  TOOLS,
  TOOL_CHOICES,
  RESPONSE_FORMATS,
  EFFORTS,
  MESSAGE_FIELDS,
  ANNOTATIONS,
  FINISH_REASONS,
  CHUNK_FINISH_REASONS,
  DELTA_FIELDS,
  SERVICE_TIERS,
  USAGE_FIELDS,
  PROMPT_USAGE,
  COMPLETION_USAGE,
];
