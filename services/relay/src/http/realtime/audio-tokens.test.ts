import { describe, expect, it } from "vitest";
import { seeFrame } from "./realtime-events.ts";
import { createSpokenTokens } from "./audio-tokens.ts";

const frameOf = (event: object) => Buffer.from(JSON.stringify(event));

describe("what was said, by its length", () => {
  it("takes a recording in an item for sound, not for text", () => {
    const spoken = createSpokenTokens();
    // A minute of 24 000 samples a second, two bytes each.
    const audio = Buffer.alloc(60 * 48_000).toString("base64");
    const content = [
      { type: "input_text", text: "what is this?" },
      { type: "input_audio", audio },
    ];
    const frame = frameOf({ type: "conversation.item.create", item: { type: "message", role: "user", content } });
    spoken.fromCaller(seeFrame(frame), frame.length);
    const { promptTokens, audioPromptTokens } = spoken.take();
    expect(audioPromptTokens).toBe(1667);
    expect(promptTokens - (audioPromptTokens ?? 0)).toBeLessThan(10);
  });
});
