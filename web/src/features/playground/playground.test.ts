import { describe, expect, it } from "vitest";
import { createEventReader, parseDelta } from "./chat-events.ts";
import { converse, toChatMessages, type Turn } from "./conversation.ts";
import { readSettings } from "./playground-settings.ts";

const asked = converse([], { type: "asked", id: 1, text: "hi" });

describe("conversation", () => {
  it("goes from asked to whole, piece by piece", () => {
    expect(asked.map(({ role, state }) => [role, state])).toEqual([
      ["user", "complete"],
      ["assistant", "loading"],
    ]);
    const coming = converse(asked, { type: "came", id: 2, content: "Hel", reasoning: "" });
    const more = converse(coming, { type: "came", id: 2, content: "lo", reasoning: "hm" });
    expect(more[1]).toMatchObject({ content: "Hello", reasoning: "hm", state: "incomplete" });
    expect(converse(more, { type: "ended", id: 2 })[1]?.state).toBe("complete");
  });

  it("keeps what had come when it fails, and leaves failures out of what is sent", () => {
    const failed = converse(converse(asked, { type: "came", id: 2, content: "Hel", reasoning: "" }), {
      type: "failed",
      id: 2,
      message: "cut",
    });
    expect(failed[1]).toMatchObject({ content: "Hel\n\ncut", state: "error" });
    expect(toChatMessages(failed, " ")).toEqual([{ role: "user", content: "hi" }]);
    expect(toChatMessages(failed, "be kind")[0]).toEqual({ role: "system", content: "be kind" });
  });

  it("asks again from a question or its reply, without what came after", () => {
    const longer: readonly Turn[] = converse(asked, { type: "asked", id: 3, text: "more" });
    for (const id of [1, 2]) {
      const again = converse(longer, { type: "retried", id, replyId: 9 });
      expect(again.map((turn) => turn.id)).toEqual([1, 9]);
    }
  });

  it("lets turns be changed and taken out", () => {
    expect(converse(asked, { type: "edited", id: 1, text: "ho" })[0]?.content).toBe("ho");
    expect(converse(asked, { type: "removed", id: 1 })).toHaveLength(1);
    expect(converse(asked, { type: "cleared" })).toEqual([]);
  });
});

describe("events of an answer", () => {
  it("are read over the borders of chunks, comments left out", () => {
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
  ])("%#: %o", (body, piece) => {
    expect(parseDelta(body)).toEqual(piece);
  });
});

describe("settings", () => {
  it("that were stored by another version or another hand fall back one by one", () => {
    expect(readSettings({ model: "m", temperature: 7, maxTokens: -1, stream: "yes", group: 3 })).toEqual({
      model: "m",
      group: "",
      temperature: 0,
      maxTokens: 0,
      systemPrompt: undefined,
      stream: true,
    });
  });
});
