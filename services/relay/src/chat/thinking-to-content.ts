import type { ChatResponse, StreamPart } from "./chat.ts";

const OPENS = "<think>\n";
const CLOSES = "\n</think>\n";

/** The answer with its thinking as text between tags in front of what it says, for clients that know text alone. */
export function thinkingAsText(response: ChatResponse): ChatResponse {
  const thoughts = response.parts.flatMap((part) => (part.type === "reasoning" ? [part.text] : []));
  const others = response.parts.filter(({ type }) => type !== "reasoning" && type !== "redacted-reasoning");
  const text = thoughts.join("\n");
  return { ...response, parts: text === "" ? others : [{ type: "text", text: OPENS + text + CLOSES }, ...others] };
}

/** The same for a stream, part by part. */
export function createThinkingAsText(): (parts: readonly StreamPart[]) => StreamPart[] {
  let isThinking = false;
  const close = (): StreamPart[] => {
    if (!isThinking) return [];
    isThinking = false;
    return [{ type: "text-delta", text: CLOSES }];
  };
  const convert = (part: StreamPart): StreamPart[] => {
    switch (part.type) {
      case "reasoning-delta": {
        const text = isThinking ? part.text : OPENS + part.text;
        isThinking = true;
        return [{ type: "text-delta", text }];
      }
      case "reasoning-signature":
      case "redacted-reasoning":
        return [];
      case "start":
        return [part];
      default:
        return [...close(), part];
    }
  };
  return (parts) => parts.flatMap(convert);
}
