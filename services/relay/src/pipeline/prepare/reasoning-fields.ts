import type { RoutedChannel } from "../../core/call/channel.ts";
import { asList, asObject } from "../../core/chat/json.ts";
import type { StreamEvent, StreamReader } from "../../core/wire/stream.ts";
import type { Provider } from "../../providers/contract/provider.ts";
import type { ReasoningField } from "../../providers/contract/target.ts";

const FIELDS = ["reasoning_content", "reasoning"] as const;
const KEPT_MAX = 10_000;

/** Channels of a general type may lead to any server with OpenAI's format; what other types take back is known. */
const GENERAL_TYPES: ReadonlySet<number> = new Set([1, 8]);

const findField = (text: string): ReasoningField | undefined => FIELDS.find((field) => text.includes(`"${field}":`));

function findInResponse(body: unknown): ReasoningField | undefined {
  const message = asObject(asObject(asList(asObject(body)?.["choices"])[0])?.["message"]);
  return FIELDS.find((field) => typeof message?.[field] === "string" && message[field] !== "");
}

type RecordField = (field: ReasoningField | "refused") => void;

function observeReader(reader: StreamReader, record: RecordField): StreamReader {
  let isRecorded = false;
  const read = (event: StreamEvent) => {
    const parts = reader.read(event);
    if (isRecorded || !parts.some(({ type }) => type === "reasoning-delta")) return parts;
    isRecorded = true;
    const field = findField(event.data);
    if (field) record(field);
    return parts;
  };
  return { ...reader, read };
}

/** How refusals report that the field is required rather than unknown. */
const REQUIRES = /must be (passed|provided|included|set|sent)|required|missing/i;

/** Records what a refusal that names a field reports about it. */
const withRecordedRefusals = (provider: Provider, field: ReasoningField, record: RecordField): Provider => ({
  ...provider,
  parseError(status, body, headers) {
    const failure = provider.parseError(status, body, headers);
    if (status >= 400 && status < 500 && failure.message.includes(field))
      record(REQUIRES.test(failure.message) ? field : "refused");
    return failure;
  },
});

const observe = (provider: Provider, record: RecordField): Provider => ({
  ...withRecordedRefusals(provider, "reasoning_content", record),
  newStreamReader: () => observeReader(provider.newStreamReader(), record),
  parseResponse(body) {
    const field = findInResponse(body);
    if (field) record(field);
    return provider.parseResponse(body);
  },
});

/**
 * The field in which channels of a general type return the reasoning of a model: its earlier turns go back in the same
 * field, since such a model may refuse a conversation without them. A channel that refuses the field is not sent it again,
 * one that requires it is sent it from the next call on.
 */
export function createReasoningFields() {
  const known = new Map<string, ReasoningField | "refused">();
  return {
    /** The field, and the provider that learns it from its responses. */
    of(channel: Pick<RoutedChannel, "id" | "type">, model: string, provider: Provider) {
      if (provider.wireFormat !== "openai-chat") return { provider };
      const key = `${channel.id} ${model}`;
      const record: RecordField = (field) => {
        if (known.size >= KEPT_MAX) known.clear();
        known.set(key, field);
      };
      const field = known.get(key);
      if (field === "refused") return { provider, reasoningField: field };
      if (field === undefined && GENERAL_TYPES.has(channel.type)) return { provider: observe(provider, record) };
      return { provider: withRecordedRefusals(provider, field ?? "reasoning_content", record), reasoningField: field };
    },
  };
}

export type ReasoningFields = ReturnType<typeof createReasoningFields>;
