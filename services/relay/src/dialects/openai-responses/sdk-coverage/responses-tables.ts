import type { CoverageTable } from "../../sdk-coverage/coverage-table.ts";
import { INPUT_CONTENT } from "./input-content.ts";
import { INPUT_ITEMS } from "./input-items.ts";
import { MESSAGE_ROLES } from "./message-roles.ts";
import { TEXT_FORMATS } from "./text-formats.ts";
import { TOOL_CHOICES } from "./tool-choice.ts";
import { TOOLS } from "./tools.ts";

/** What the SDK declares for the Responses API. */
export const RESPONSES_TABLES: readonly CoverageTable[] = [
  INPUT_ITEMS,
  MESSAGE_ROLES,
  INPUT_CONTENT,
  TOOLS,
  TOOL_CHOICES,
  TEXT_FORMATS,
];
