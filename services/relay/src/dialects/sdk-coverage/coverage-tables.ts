import type { CoverageTable } from "./coverage-table.ts";
import { CHAT_TABLES } from "../openai-chat/sdk-coverage/chat-tables.ts";
import { RESPONSES_TABLES } from "../openai-responses/sdk-coverage/responses-tables.ts";

/** The unions of all dialects. */
export const COVERAGE_TABLES: readonly CoverageTable[] = [...CHAT_TABLES, ...RESPONSES_TABLES];
