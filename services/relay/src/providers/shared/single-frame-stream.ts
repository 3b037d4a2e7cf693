import type { ChatResponse, ContentPart, StreamPart } from "../../core/chat/chat.ts";
import { parseEventData } from "./upstream-failure.ts";
import type { FrameSplitter, StreamReader } from "../../core/wire/stream.ts";

/** For providers that respond in one piece: the whole body as one frame, once it is complete. */
export function createSingleFrameSplitter(): FrameSplitter {
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

function getDeltas(part: ContentPart, index: number): StreamPart[] {
  switch (part.type) {
    case "text":
      return [{ type: "text-delta", text: part.text, ...(part.isRefusal ? { isRefusal: true } : {}) }];
    case "reasoning": {
      const { text, signature } = part;
      const sealed: StreamPart[] = signature === undefined ? [] : [{ type: "reasoning-signature", signature }];
      return [{ type: "reasoning-delta", text }, ...sealed];
    }
    case "redacted-reasoning":
      return [part];
    case "tool-call": {
      const { argumentsText, id, name, signature } = part;
      const sealed = signature === undefined ? {} : { signature };
      return [
        { type: "tool-call-start", index, id, name, ...sealed },
        { type: "tool-call-delta", index, argumentsText },
      ];
    }
    case "image":
      return part.source.kind === "base64"
        ? [{ type: "media", mediaType: part.source.mediaType, data: part.source.data }]
        : [{ type: "text-delta", text: `![image](${part.source.url})` }];
    case "file":
      return [{ type: "media", mediaType: part.mediaType, data: part.data }];
    default:
      return [];
  }
}

/** A non-streaming response as stream events. */
export function getSteps(response: ChatResponse): StreamPart[] {
  const { id, model, parts, citations, finishReason, finishDetail, stopSequence, usage, otherOutput = "" } = response;
  const calls = parts.filter(({ type }) => type === "tool-call");
  const found = citations ? { citations } : {};
  const stopped = stopSequence === undefined ? {} : { stopSequence };
  return [
    { type: "start", id, model },
    ...parts.flatMap((part) => getDeltas(part, calls.indexOf(part))),
    ...(otherOutput === "" ? [] : [{ type: "other-output" as const, text: otherOutput }]),
    {
      type: "finish",
      reason: finishReason,
      ...(finishDetail ? { detail: finishDetail } : {}),
      ...stopped,
      ...found,
      usage,
    },
  ];
}

/** For providers that respond in one piece: parses the single frame as a stream. */
export function newSingleFrameReader(parse: (body: unknown) => ChatResponse): StreamReader {
  let isComplete = false;
  return {
    read({ data }): StreamPart[] {
      const steps = getSteps(parse(parseEventData(data)));
      isComplete = true;
      return steps;
    },
    end: () => [],
    isComplete: () => isComplete,
  };
}
