import type { ContentPart, ImageSource, Json, ReportedUsage, StreamPart } from "../../../core/chat/chat.ts";
import { asText } from "../../../core/chat/json.ts";
import { createBoundedText } from "../../../core/chat/bounded-text.ts";
import { parseEventData } from "../../shared/upstream-failure.ts";
import type { StreamEvent, StreamReader } from "../../../core/wire/stream.ts";
import { CandidateEnd } from "./candidate-end.ts";
import {
  countGrounding,
  getOtherCandidatesText,
  getParts,
  mergeGrounding,
  NO_GROUNDING,
  readCandidate,
  readGeminiPart,
  readGeminiUsage,
  withGrounding,
} from "./gemini-candidates.ts";
import { geminiErrorInside } from "./gemini-failure.ts";
import { type Grounding, readGrounding } from "./gemini-grounding.ts";

type Source = Extract<ImageSource, { kind: "base64" }>;
const getMedia = ({ mediaType, data }: Source): StreamPart => ({ type: "media", mediaType, data });

/**
 * Parses streamed GenerateContentResponses. A finish reason ends the content; usage may arrive with it or after it, so
 * the finish is emitted at the end of the bytes. Function calls arrive complete; each gets its own index.
 */
export function newGeminiStreamReader(): StreamReader {
  const candidateEnd = new CandidateEnd();
  let isStarted = false;
  let isFinished = false;
  let calls = 0;
  let usage: ReportedUsage;
  let tools = NO_GROUNDING;
  let grounding: Grounding = {};
  const receivedText = createBoundedText();

  function toStreamParts(part: ContentPart): StreamPart[] {
    switch (part.type) {
      case "text":
        receivedText.add(part.text);
        return [{ type: "text-delta", text: part.text }];
      case "image":
        return part.source.kind === "base64" ? [getMedia(part.source)] : [];
      case "reasoning":
        return [{ type: "reasoning-delta", text: part.text }];
      case "tool-call": {
        const { type: _type, argumentsText, ...call } = part;
        const index = calls++;
        return [
          { type: "tool-call-start", index, ...call },
          { type: "tool-call-delta", index, argumentsText },
        ];
      }
      default:
        return [];
    }
  }

  function start(body: Json): StreamPart[] {
    if (isStarted) return [];
    isStarted = true;
    return [{ type: "start", id: asText(body["responseId"]) ?? "", model: asText(body["modelVersion"]) ?? "" }];
  }

  return {
    read({ data }: StreamEvent): StreamPart[] {
      const body = parseEventData(data);
      if (body["error"]) throw geminiErrorInside(body);
      const candidate = readCandidate(body);
      usage = readGeminiUsage(body["usageMetadata"]) ?? usage;
      tools = mergeGrounding(tools, countGrounding(candidate, asText(body["modelVersion"]) ?? ""));
      candidateEnd.add(candidate);
      const parts = getParts(candidate).flatMap(readGeminiPart).flatMap(toStreamParts);
      const otherOutput = getOtherCandidatesText(body);
      if (otherOutput !== "") parts.push({ type: "other-output", text: otherOutput });
      grounding = { ...grounding, ...readGrounding(candidate, receivedText.text) };
      return [...start(body), ...parts];
    },
    end(): StreamPart[] {
      if (isFinished) return [];
      isFinished = true;
      const { explained, ended } = candidateEnd.readParts(calls > 0);
      return [...explained, { type: "finish", ...ended, ...grounding, usage: withGrounding(usage, tools) }];
    },
    isComplete: () => candidateEnd.isKnown(),
    usageSoFar: () => withGrounding(usage, tools),
  };
}
