import type { CoverageTable } from "./coverage-table.ts";
import { MESSAGES_TABLES } from "../anthropic-messages/sdk-coverage/messages-tables.ts";
import { GEMINI_TABLES } from "../gemini-generate/sdk-coverage/gemini-tables.ts";
import { CHAT_TABLES } from "../openai-chat/sdk-coverage/chat-tables.ts";
import { RESPONSES_TABLES } from "../openai-responses/sdk-coverage/responses-tables.ts";

/** The unions of all dialects. */
export const COVERAGE_TABLES: readonly CoverageTable[] = [
  ...CHAT_TABLES,
  ...RESPONSES_TABLES,
  ...MESSAGES_TABLES,
  ...GEMINI_TABLES,
];
