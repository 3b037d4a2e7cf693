import { describe, expect, it } from "vitest";
import type { Json } from "../../core/chat/chat.ts";
import { midjourney } from "./midjourney-wire.ts";
import { suno } from "./suno-wire.ts";

const submit = (answer: Json, action = "IMAGINE") =>
  midjourney.readSubmit(answer, Buffer.from(JSON.stringify(answer)), action);
const bodyOf = (answer: ReturnType<typeof submit>): unknown => JSON.parse(String(answer?.body));

describe("what a Midjourney proxy says to a submission", () => {
  it.each([
    [1, "IMAGINE", 1],
    [21, "UPSCALE", 1],
    [22, "IMAGINE", 1],
    [21, "INPAINT", 21],
    [21, "CUSTOM_ZOOM", 21],
  ])("code %i of %s is accepted and told as %i", (code, action, told) => {
    const answer = submit({ code, description: "ok", result: "1320098173412546", properties: { x: 1 } }, action);
    expect(answer).toMatchObject({ outcome: "accepted", upstreamId: "1320098173412546", state: { code } });
    expect(bodyOf(answer)).toEqual({ code: told, description: "ok", result: "1320098173412546", properties: { x: 1 } });
  });

  it("21 with a picture is a task that is done", () => {
    const properties = { status: "SUCCESS", imageUrl: "https://cdn.example/a.png" };
    expect(submit({ code: 21, result: "7", properties })).toMatchObject({
      state: { status: "SUCCESS", imageUrl: "https://cdn.example/a.png" },
    });
  });

  it("an upload is done at once", () => {
    expect(submit({ code: 1, result: "7" }, "UPLOAD")).toMatchObject({ state: { status: "SUCCESS" } });
  });

  it("an upload that answers the addresses of its pictures is told as it came", () => {
    const result = ["https://cdn.example/a.png", "https://cdn.example/b.png"];
    const answer = submit({ code: 1, description: "success", result }, "UPLOAD");
    expect(answer).toMatchObject({ upstreamId: result[0], state: { status: "SUCCESS", imageUrl: result[0] } });
    expect(bodyOf(answer)).toEqual({ code: 1, description: "success", result });
    expect(submit({ code: 1, result: [] }, "UPLOAD")).toBeUndefined();
  });

  it.each([
    [3, true, true],
    [23, true, false],
    [24, false, false],
    [4, false, false],
  ])("%i is refused (elsewhere: %s, unfit: %s)", (code, isElsewhere, isUnfit) => {
    expect(submit({ code, description: "no" })).toMatchObject({ outcome: "refused", isElsewhere, isUnfit });
  });

  it.each([{}, { code: "1" }, { code: 1 }, { code: 1, result: "" }])("%j is nothing that can be read", (answer) => {
    expect(submit(answer)).toBeUndefined();
  });
});

describe("tasks that are asked about", () => {
  it("are read from a Midjourney proxy", () => {
    const task = {
      id: "7",
      status: "IN_PROGRESS",
      progress: "31%",
      startTime: 1_700_000_000_123,
      finishTime: null,
      imageUrl: "https://cdn.example/half.png",
      buttons: [{ customId: "MJ::JOB::upsample::1::x" }],
      properties: { finalPrompt: "cat" },
    };
    const state = midjourney.readPoll([task, "noise", null])?.get("7");
    expect(state).toMatchObject({
      status: "IN_PROGRESS",
      progress: "31%",
      startTimeMs: 1_700_000_000_123,
      finishTimeMs: 0,
    });
    expect(JSON.parse(state?.buttonsJson ?? "")).toEqual(task.buttons);
  });

  it("are read from Suno, whose times are seconds", () => {
    const task = {
      task_id: "a-b",
      status: "SUCCESS",
      start_time: 1_700_000_000,
      finish_time: "1700000009",
      data: [{ id: "c" }],
    };
    expect(suno.readPoll({ code: "success", data: [task] })?.get("a-b")).toMatchObject({
      status: "SUCCESS",
      startTimeMs: 1_700_000_000_000,
      finishTimeMs: 1_700_000_009_000,
      dataJson: '[{"id":"c"}]',
    });
  });

  it.each([{ code: "error", data: [] }, [], "busy", undefined])(
    "%j from Suno is nothing that can be read",
    (answer) => {
      expect(suno.readPoll(answer)).toBeUndefined();
    },
  );
});
