import type { CoverageTable } from "../../sdk-coverage/coverage-table.ts";
import { INPUT_CONTENT } from "./input-content.ts";

/** What the SDK declares for the Responses API. */
export const RESPONSES_TABLES: readonly CoverageTable[] = [INPUT_CONTENT];
