import type { TokenUsage } from "@turnpike/contract/pricing/quota";
import type { CallContent } from "../core/call/call-content.ts";
import type { ChatResponse, StreamPart } from "../core/chat/chat.ts";
import { RelayError } from "../core/errors/relay-error.ts";
import type { StreamReader } from "../core/wire/stream.ts";
import { createPartFilter, filterParts, type FilterOptions } from "./filtered-parts.ts";
import type { Transcript } from "./transcript.ts";

const forbidden = (): RelayError =>
  new RelayError("content_filter", "the response contains words that are not allowed here");

/** Wraps a stream reader: forbidden text is masked, or ends the stream as a provider's own content filter would. */
function filterStream(
  reader: StreamReader,
  options: FilterOptions | undefined,
  transcript: Transcript | undefined,
): StreamReader {
  const filter = options && createPartFilter(options);
  let promptUsage: TokenUsage | undefined;
  let isStopped = false;
  transcript?.begin();

  const record = (part: StreamPart): void => {
    if (part.type === "start") promptUsage = part.usage;
    else if (part.type === "text-delta") transcript?.add(part.text);
  };
  const pass = (parts: StreamPart[]): StreamPart[] => {
    parts.forEach(record);
    const filtered = filter?.(parts);
    if (!filtered?.isForbidden) return filtered ? [...filtered.parts] : parts;
    isStopped = true;
    // Only the prompt's usage is known here; the response is counted up to where it was cut.
    const usage = promptUsage && { ...promptUsage, completionTokens: 0 };
    return [...filtered.parts, { type: "finish", reason: "content-filter", usage }];
  };
  const { skim } = reader;
  return {
    read: (event) => pass(reader.read(event)),
    end: () => (isStopped ? [] : pass(reader.end())),
    isComplete: () => isStopped || reader.isComplete(),
    ...(reader.usageSoFar ? { usageSoFar: reader.usageSoFar } : {}),
    ...(skim && !filter
      ? {
          skim: (event) => {
            const text = skim(event);
            if (text !== undefined) transcript?.add(text);
            return text;
          },
        }
      : {}),
  };
}

/** A reader for streams that pass through as bytes: they cannot be cut cleanly, so forbidden text fails them. Throws content_filter. */
function failOnForbidden(reader: StreamReader): StreamReader {
  return {
    ...reader,
    read: (event) => {
      const parts = reader.read(event);
      if (parts.some((part) => part.type === "finish" && part.reason === "content-filter")) throw forbidden();
      return parts;
    },
  };
}

function filterResponse(
  response: ChatResponse,
  options: FilterOptions | undefined,
  transcript: Transcript | undefined,
): ChatResponse {
  const filtered = options ? filterParts(response, options) : response;
  transcript?.begin();
  for (const part of filtered.parts) if (part.type === "text") transcript?.add(part.text);
  return filtered;
}

/** Applies the output filter, the transcript, or both to the responses of one call. */
export function createCallContent(options: FilterOptions | undefined, transcript: Transcript | undefined): CallContent {
  return {
    filtersOutput: options !== undefined,
    filterStream: (reader) => filterStream(reader, options, transcript),
    filterRawStream: (reader) => failOnForbidden(filterStream(reader, options, transcript)),
    filterResponse: (response) => filterResponse(response, options, transcript),
    toLogFields: () => transcript?.toLogFields(),
  };
}
