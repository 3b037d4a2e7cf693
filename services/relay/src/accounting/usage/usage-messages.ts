import { asObject, parseJson } from "../../core/chat/json.ts";
import { encodeTyped } from "@turnpike/shared/events/bus";
import { Envelope } from "@turnpike/shared/events/define-event";
import { type UsageRecord, usageRecorded } from "@turnpike/shared/events/relay";
import { newRequestId } from "@turnpike/shared/telemetry/request-id";

/** A message of the usage stream: `line` is its payload, in JetStream and in the spool. */
export type UsageMessage = { readonly id: string; readonly line: string };
export type EncodeUsage = (records: readonly UsageRecord[]) => UsageMessage[];

/** Maximum number of records per message. */
export const BATCH_RECORDS_MAX = 200;
/** Texts of a record that is sent without its details are cut to this length; names and price rules are shorter. */
const TEXT_LENGTH_MAX = 256;
/** Lists and objects of its `other` that are longer as JSON are dropped; surcharges and tried channels are shorter. */
const FACT_LENGTH_MAX = 2_048;

const cut = (text: string): string => text.slice(0, TEXT_LENGTH_MAX);

/** The factors of the charge are short; logged content and what a caller wrote at length are not. */
const isShort = (value: unknown): boolean =>
  typeof value === "string" ? value.length <= TEXT_LENGTH_MAX : JSON.stringify(value).length <= FACT_LENGTH_MAX;

/** The record with its cost, tokens and price factors, and with bounded texts. */
function withoutDetails(record: UsageRecord): UsageRecord {
  const facts = Object.entries(asObject(parseJson(record.other)) ?? {}).filter(([, value]) => isShort(value));
  const texts = Object.entries(record).map(([name, value]) => [name, typeof value === "string" ? cut(value) : value]);
  return {
    ...(Object.fromEntries(texts) as UsageRecord),
    other: JSON.stringify({ ...Object.fromEntries(facts), details_dropped: true }),
  };
}

/**
 * Creates the encoder of usage messages: up to 200 records and `bytesMax` bytes each. A record that exceeds the limit
 * alone is sent without its details.
 */
export function createUsageEncoder(source: string, bytesMax: () => number): EncodeUsage {
  const encodeOne = (records: readonly UsageRecord[]): UsageMessage => {
    const id = newRequestId();
    return { id, line: encodeTyped(usageRecorded, source, { records: [...records] }, id) };
  };
  return function encode(records) {
    if (records.length === 0) return [];
    const half = Math.ceil(records.length / 2);
    const inHalves = (): UsageMessage[] => [...encode(records.slice(0, half)), ...encode(records.slice(half))];
    if (records.length > BATCH_RECORDS_MAX) return inHalves();
    const message = encodeOne(records);
    if (Buffer.byteLength(message.line) <= bytesMax()) return [message];
    return records.length > 1 ? inHalves() : [encodeOne(records.map(withoutDetails))];
  };
}

/** The id of a spooled line and, on demand, its records; undefined if they cannot be read. */
export function decodeUsageLine(
  line: string,
): { readonly id: string; readonly records: () => readonly UsageRecord[] | undefined } | undefined {
  const { success, data: envelope } = Envelope.safeParse(parseJson(line));
  if (!success) return undefined;
  return { id: envelope.id, records: () => usageRecorded.data.safeParse(envelope.data).data?.records };
}
