import { LogDetails, type LogEntry } from "@turnpike/contract/api/log";
import { parseJson } from "../../lib/api/parse-json.ts";

const NO_DETAILS: LogDetails = {};

/** Parses the `other` field of a row; a row whose details cannot be read has none. */
export const parseLogDetails = (entry: LogEntry): LogDetails => parseJson(LogDetails, entry.other) ?? NO_DETAILS;
