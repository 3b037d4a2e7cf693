import type { LogEntry } from "@turnpike/contract/api/log";

/** The request id of the call that a row belongs to; rows of attempts append their number. */
export const toCallId = ({ request_id: id }: Pick<LogEntry, "request_id">): string => id.replace(/-e\d+$/, "");
