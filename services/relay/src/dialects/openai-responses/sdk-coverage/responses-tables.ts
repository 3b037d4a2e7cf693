import type { CoverageTable } from "../../sdk-coverage/coverage-table.ts";
import { FAILED_RESPONSES, REFUSALS } from "./errors.ts";
import { INPUT_CONTENT } from "./input-content.ts";
import { INPUT_ITEMS } from "./input-items.ts";
import { MESSAGE_ROLES } from "./message-roles.ts";
import { ANNOTATIONS, OUTPUT_CONTENT } from "./output-content.ts";
import { OUTPUT_ITEMS } from "./output-items.ts";
import { EFFORTS, IMAGE_DETAILS, REASONING_PARTS, SERVICE_TIERS, SUMMARY_PARTS } from "./reasoning.ts";
import { INCOMPLETE_REASONS, STATUSES } from "./response-ends.ts";
import { STREAM_EVENTS } from "./stream-events.ts";
import { TEXT_FORMATS } from "./text-formats.ts";
import { PATCH_OPERATIONS, SEARCH_ACTIONS, SHELL_OUTCOMES } from "./tool-actions.ts";
import { TOOL_CHOICES } from "./tool-choice.ts";
import { TOOL_RESULTS } from "./tool-results.ts";
import { TOOLS } from "./tools.ts";
import { INPUT_USAGE, OUTPUT_USAGE, USAGE_FIELDS } from "./usage.ts";

/** What the SDK declares for the Responses API. */
export const RESPONSES_TABLES: readonly CoverageTable[] = [
  INPUT_ITEMS,
  MESSAGE_ROLES,
  INPUT_CONTENT,
  IMAGE_DETAILS,
  TOOL_RESULTS,
  SHELL_OUTCOMES,
  PATCH_OPERATIONS,
  TOOLS,
  TOOL_CHOICES,
  TEXT_FORMATS,
  EFFORTS,
  OUTPUT_ITEMS,
  SEARCH_ACTIONS,
  SUMMARY_PARTS,
  REASONING_PARTS,
  OUTPUT_CONTENT,
  ANNOTATIONS,
  STREAM_EVENTS,
  STATUSES,
  INCOMPLETE_REASONS,
  SERVICE_TIERS,
  USAGE_FIELDS,
  INPUT_USAGE,
  OUTPUT_USAGE,
  FAILED_RESPONSES,
  REFUSALS,
];
