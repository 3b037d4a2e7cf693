import type { ChatResponse, Citation, StreamPart } from "../../core/chat/chat.ts";

const OPENS = "<think>\n";
const CLOSES = "\n</think>\n";

/** Shifts the citations by the length of the text put in front. */
function shifted(citations: readonly Citation[] | undefined, by: number): { citations?: readonly Citation[] } {
  if (!citations) return {};
  const shift = (one: Citation): Citation => ({
    ...one,
    startIndex: one.startIndex + by,
    endIndex: one.endIndex + by,
  });
  return { citations: citations.map(shift) };
}

/** The response with its reasoning as tagged text before the content, for clients that only display text. */
export function reasoningAsText(response: ChatResponse): ChatResponse {
  const reasoning = response.parts.flatMap((part) => (part.type === "reasoning" ? [part.text] : []));
  const others = response.parts.filter(({ type }) => type !== "reasoning" && type !== "redacted-reasoning");
  const text = reasoning.join("\n");
  if (text === "") return { ...response, parts: others };
  const front = OPENS + text + CLOSES;
  return {
    ...response,
    ...shifted(response.citations, front.length),
    parts: [{ type: "text", text: front }, ...others],
  };
}

/** The streaming variant, part by part. */
export function createReasoningAsText(): (parts: readonly StreamPart[]) => StreamPart[] {
  let isThinking = false;
  let added = 0;
  const close = (): StreamPart[] => {
    if (!isThinking) return [];
    isThinking = false;
    added += CLOSES.length;
    return [{ type: "text-delta", text: CLOSES }];
  };
  const convert = (part: StreamPart): StreamPart[] => {
    switch (part.type) {
      case "reasoning-delta": {
        const text = isThinking ? part.text : OPENS + part.text;
        isThinking = true;
        added += text.length;
        return [{ type: "text-delta", text }];
      }
      case "reasoning-signature":
      case "redacted-reasoning":
        return [];
      case "start":
        return [part];
      case "finish":
        return [...close(), { ...part, ...shifted(part.citations, added) }];
      default:
        return [...close(), part];
    }
  };
  return (parts) => parts.flatMap(convert);
}
