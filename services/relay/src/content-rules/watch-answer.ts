import type { TokenUsage } from "@turnpike/contract/pricing/quota";
import type { ChatResponse, StreamPart } from "../chat/chat.ts";
import { RelayError } from "../errors/relay-error.ts";
import type { StreamReader } from "../providers/provider.ts";
import type { CallContent } from "./content-rules.ts";
import { createPartGuard, guardWhole } from "./guard-parts.ts";

const forbidden = (): RelayError =>
  new RelayError("content_filter", "the answer contains words that are not allowed here");

/** A reader whose parts are what may go on: an answer that says what it must not ends there, as one that a filter has stopped. */
export function watchStream(reader: StreamReader, { guard: rules, transcript }: CallContent): StreamReader {
  const guard = rules && createPartGuard(rules);
  let begun: TokenUsage | undefined;
  let isStopped = false;
  transcript?.begin();

  const note = (part: StreamPart): void => {
    if (part.type === "start") begun = part.usage;
    else if (part.type === "text-delta") transcript?.add(part.text);
  };
  const pass = (parts: StreamPart[]): StreamPart[] => {
    parts.forEach(note);
    const guarded = guard?.(parts);
    if (!guarded?.isForbidden) return guarded ? [...guarded.parts] : parts;
    isStopped = true;
    // What upstream said at the beginning is the prompt's; the answer is counted as far as it went.
    const usage = begun && { ...begun, completionTokens: 0 };
    return [...guarded.parts, { type: "finish", reason: "content-filter", usage }];
  };
  const { skim } = reader;
  return {
    read: (event) => pass(reader.read(event)),
    end: () => (isStopped ? [] : pass(reader.end())),
    isComplete: () => isStopped || reader.isComplete(),
    ...(reader.usageSoFar ? { usageSoFar: reader.usageSoFar } : {}),
    ...(skim && !guard
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

/** The same for streams that can only go through as they are: what must not be said fails them. Throws content_filter. */
export function watchBytes(reader: StreamReader, content: CallContent): StreamReader {
  const watched = watchStream(reader, content);
  return {
    ...watched,
    read: (event) => {
      const parts = watched.read(event);
      if (parts.some((part) => part.type === "finish" && part.reason === "content-filter")) throw forbidden();
      return parts;
    },
  };
}

/** A whole answer as it may go out; the very same where nothing is to be changed. */
export function watchWhole(response: ChatResponse, { guard, transcript }: CallContent): ChatResponse {
  const watched = guard ? guardWhole(response, guard) : response;
  transcript?.begin();
  for (const part of watched.parts) if (part.type === "text") transcript?.add(part.text);
  return watched;
}
