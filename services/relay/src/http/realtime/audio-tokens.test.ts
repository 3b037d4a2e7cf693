import { describe, expect, it } from "vitest";
import { inspectFrame } from "./realtime-events.ts";
import { createAudioTokens } from "./audio-tokens.ts";

const getFrame = (event: object) => Buffer.from(JSON.stringify(event));

describe("audio token estimate", () => {
  it("counts a recording in an item as audio, not as text", () => {
    const tokens = createAudioTokens();
    // A minute at 24,000 two-byte samples per second.
    const audio = Buffer.alloc(60 * 48_000).toString("base64");
    const content = [
      { type: "input_text", text: "what is this?" },
      { type: "input_audio", audio },
    ];
    const frame = getFrame({ type: "conversation.item.create", item: { type: "message", role: "user", content } });
    tokens.fromClient(inspectFrame(frame), frame.length);
    const { promptTokens, audioPromptTokens } = tokens.take();
    expect(audioPromptTokens).toBe(1667);
    expect(promptTokens - (audioPromptTokens ?? 0)).toBeLessThan(10);
  });
});
