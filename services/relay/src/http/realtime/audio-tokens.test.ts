import { describe, expect, it } from "vitest";
import { inspectFrame } from "./realtime-events.ts";
import { createSpokenTokens } from "./audio-tokens.ts";

const frameOf = (event: object) => Buffer.from(JSON.stringify(event));

describe("audio token estimate", () => {
  it("counts a recording in an item as audio, not as text", () => {
    const spoken = createSpokenTokens();
    // A minute at 24,000 two-byte samples per second.
    const audio = Buffer.alloc(60 * 48_000).toString("base64");
    const content = [
      { type: "input_text", text: "what is this?" },
      { type: "input_audio", audio },
    ];
    const frame = frameOf({ type: "conversation.item.create", item: { type: "message", role: "user", content } });
    spoken.fromClient(inspectFrame(frame), frame.length);
    const { promptTokens, audioPromptTokens } = spoken.take();
    expect(audioPromptTokens).toBe(1667);
    expect(promptTokens - (audioPromptTokens ?? 0)).toBeLessThan(10);
  });
});
