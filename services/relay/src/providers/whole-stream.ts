import type { ChatResponse, ContentPart, StreamPart } from "../chat/chat.ts";
import { parseEventData } from "./failure.ts";
import type { FrameSplitter, StreamReader } from "./provider.ts";

/** For `answersWhole`: the whole body as one frame, when it has ended. */
export function createWholeSplitter(): FrameSplitter {
  const chunks: Buffer[] = [];
  return {
    push(chunk) {
      chunks.push(chunk);
      return [];
    },
    end() {
      const raw = Buffer.concat(chunks);
      return { raw, event: { event: undefined, data: raw.toString("utf8") } };
    },
  };
}

function deltasOf(part: ContentPart, index: number): StreamPart[] {
  switch (part.type) {
    case "text":
      return [{ type: "text-delta", text: part.text }];
    case "reasoning":
      return [{ type: "reasoning-delta", text: part.text }];
    case "tool-call": {
      const { id, name, argumentsText } = part;
      return [
        { type: "tool-call-start", index, id, name },
        { type: "tool-call-delta", index, argumentsText },
      ];
    }
    default:
      return [];
  }
}

/** A whole answer as the steps of a stream. */
export function stepsOf({ id, model, parts, citations, finishReason, usage }: ChatResponse): StreamPart[] {
  const calls = parts.filter(({ type }) => type === "tool-call");
  return [
    { type: "start", id, model },
    ...parts.flatMap((part) => deltasOf(part, calls.indexOf(part))),
    { type: "finish", reason: finishReason, ...(citations ? { citations } : {}), usage },
  ];
}

/** For `answersWhole`: reads the one frame as a stream. */
export function newWholeReader(parse: (body: unknown) => ChatResponse): StreamReader {
  let isComplete = false;
  return {
    read({ data }): StreamPart[] {
      const steps = stepsOf(parse(parseEventData(data)));
      isComplete = true;
      return steps;
    },
    end: () => [],
    isComplete: () => isComplete,
  };
}
