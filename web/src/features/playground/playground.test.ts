import { describe, expect, it } from "vitest";
import { createEventReader, parseDelta } from "./chat-events.ts";
import { converse, toChatMessages, type Turn } from "./conversation.ts";
import { readSettings } from "./playground-settings.ts";

const requested = converse([], { type: "sent", id: 1, text: "hi" });

describe("conversation", () => {
  it("goes from requested to complete, piece by piece", () => {
    expect(requested.map(({ role, state }) => [role, state])).toEqual([
      ["user", "complete"],
      ["assistant", "loading"],
    ]);
    const coming = converse(requested, { type: "came", id: 2, content: "Hel", reasoning: "" });
    const more = converse(coming, { type: "came", id: 2, content: "lo", reasoning: "hm" });
    expect(more[1]).toMatchObject({ content: "Hello", reasoning: "hm", state: "incomplete" });
    expect(converse(more, { type: "ended", id: 2 })[1]?.state).toBe("complete");
  });

  it("keeps the received part when it fails, and does not send failed turns", () => {
    const failed = converse(converse(requested, { type: "came", id: 2, content: "Hel", reasoning: "" }), {
      type: "failed",
      id: 2,
      message: "cut",
    });
    expect(failed[1]).toMatchObject({ content: "Hel\n\ncut", state: "error" });
    expect(toChatMessages(failed, " ")).toEqual([{ role: "user", content: "hi" }]);
    expect(toChatMessages(failed, "be kind")[0]).toEqual({ role: "system", content: "be kind" });
  });

  it("resends from a question or its reply, without what came after", () => {
    const longer: readonly Turn[] = converse(requested, { type: "sent", id: 3, text: "more" });
    for (const id of [1, 2]) {
      const again = converse(longer, { type: "retried", id, replyId: 9 });
      expect(again.map((turn) => turn.id)).toEqual([1, 9]);
    }
  });

  it("lets turns be edited and removed", () => {
    expect(converse(requested, { type: "edited", id: 1, text: "ho" })[0]?.content).toBe("ho");
    expect(converse(requested, { type: "removed", id: 1 })).toHaveLength(1);
    expect(converse(requested, { type: "cleared" })).toEqual([]);
  });
});

describe("response events", () => {
  it("parses events across chunk borders, without comments", () => {
    const read = createEventReader();
    expect(read(": PING\n\nda")).toEqual([]);
    expect(read('ta: {"a":1}\r\n\r\ndata: [DO')).toEqual(['{"a":1}']);
    expect(read("NE]\n\n")).toEqual(["[DONE]"]);
  });

  it.each([
    [{ choices: [{ delta: { content: "x" } }] }, { content: "x", reasoning: "" }],
    [{ choices: [{ delta: { reasoning_content: "r" } }] }, { content: "", reasoning: "r" }],
    [{ choices: [{ message: { content: "whole" } }] }, { content: "whole", reasoning: "" }],
    [{ choices: [] }, { content: "", reasoning: "" }],
    [{ error: { message: "no" } }, { content: "", reasoning: "", error: "no" }],
    [{ odd: 1 }, undefined],
  ])("reads event %#: %o", (body, piece) => {
    expect(parseDelta(body)).toEqual(piece);
  });
});

describe("settings", () => {
  it("uses the default for each invalid value of stored settings", () => {
    expect(readSettings({ model: "m", temperature: 7, maxTokens: -1, stream: "yes", group: 3 })).toEqual({
      model: "m",
      group: "",
      hasTemperature: false,
      temperature: 1,
      maxTokens: 0,
      systemPrompt: undefined,
      stream: true,
    });
  });
  it("distinguishes a temperature of 0 from the model's default, which earlier versions stored as 0", () => {
    expect(readSettings({ temperature: 0 }).hasTemperature).toBe(false);
    expect(readSettings({ temperature: 0.7 }).hasTemperature).toBe(true);
    expect(readSettings({ temperature: 0, hasTemperature: true })).toMatchObject({
      hasTemperature: true,
      temperature: 0,
    });
  });
});
