import { QUOTA_MAX } from "@turnpike/contract/pricing/quota";
import { Envelope } from "@turnpike/shared/events/define-event";
import { UsageRecord } from "@turnpike/shared/events/relay";
import { z } from "zod";

/** The content of a usage stream message: records, and invalid parts. */
export type DecodedUsage = {
  readonly records: readonly UsageRecord[];
  readonly unreadable: readonly { readonly payload: string; readonly reason: string }[];
};

const Message = z.object({ records: z.array(z.unknown()).min(1) });

const describeProblem = (error: z.ZodError): string =>
  error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; ");

function findProblem(record: UsageRecord): string | undefined {
  if (record.requestId === "") return "no request id";
  if (record.userId <= 0) return "no user";
  if (record.quota > QUOTA_MAX) return "a quota above the maximum";
  return undefined;
}

/** Parses a message; an invalid record does not affect the others. */
export function decodeUsage(text: string): DecodedUsage {
  const whole = (reason: string): DecodedUsage => ({ records: [], unreadable: [{ payload: text, reason }] });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return whole("not JSON");
  }
  const envelope = Envelope.safeParse(json);
  if (!envelope.success) return whole(describeProblem(envelope.error));
  const message = Message.safeParse(envelope.data.data);
  if (!message.success) return whole(describeProblem(message.error));
  const records: UsageRecord[] = [];
  const unreadable: { payload: string; reason: string }[] = [];
  for (const part of message.data.records) {
    const record = UsageRecord.safeParse(part);
    const wrong = record.success ? findProblem(record.data) : describeProblem(record.error);
    if (record.success && wrong === undefined) records.push(record.data);
    else unreadable.push({ payload: JSON.stringify(part), reason: wrong ?? "unreadable" });
  }
  return { records, unreadable };
}
