import type { CoverageTable } from "../../sdk-coverage/coverage-table.ts";
import { ERRORS, STREAMED_ERRORS } from "./errors.ts";
import { REQUEST_BODY } from "./request-body.ts";
import { REQUEST_CONTENT } from "./request-content.ts";
import { TOOL_RESULT_CONTENT } from "./request-results.ts";
import {
  CONTEXT_EDITS,
  EFFORT,
  OUTPUT_CONFIG,
  REQUESTED_SPEEDS,
  REQUESTED_TIERS,
  THINKING,
} from "./request-settings.ts";
import { DOCUMENT_SOURCES, IMAGE_SOURCES, ROLES } from "./request-sources.ts";
import { TOOL_CHOICES, TOOLS } from "./request-tools.ts";
import { CITATIONS, RESPONSE_CONTENT } from "./response-content.ts";
import { REFUSAL_CATEGORIES, STOP_REASONS, STREAMED_STOP_REASONS } from "./response-end.ts";
import { DELTAS, STREAM_EVENTS } from "./response-stream.ts";
import { STREAMED_USAGE } from "./streamed-usage.ts";
import { CACHE_CREATION, ITERATIONS, SERVER_TOOL_USAGE, SERVICE_TIERS, SPEEDS, USAGE_FIELDS } from "./usage.ts";

/** What the SDK declares for the Messages API. */
export const MESSAGES_TABLES: readonly CoverageTable[] = [
  REQUEST_BODY,
  ROLES,
  REQUEST_CONTENT,
  IMAGE_SOURCES,
  DOCUMENT_SOURCES,
  TOOL_RESULT_CONTENT,
  TOOLS,
  TOOL_CHOICES,
  THINKING,
  OUTPUT_CONFIG,
  EFFORT,
  CONTEXT_EDITS,
  REQUESTED_TIERS,
  REQUESTED_SPEEDS,
  RESPONSE_CONTENT,
  CITATIONS,
  STOP_REASONS,
  STREAMED_STOP_REASONS,
  REFUSAL_CATEGORIES,
  STREAM_EVENTS,
  DELTAS,
  USAGE_FIELDS,
  STREAMED_USAGE,
  ITERATIONS,
  SERVER_TOOL_USAGE,
  CACHE_CREATION,
  SERVICE_TIERS,
  SPEEDS,
  ERRORS,
  STREAMED_ERRORS,
];
