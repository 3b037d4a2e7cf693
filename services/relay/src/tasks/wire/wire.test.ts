import { describe, expect, it } from "vitest";
import type { Json } from "../../core/chat/chat.ts";
import { midjourney } from "./midjourney-wire.ts";
import { suno } from "./suno-wire.ts";

const submit = (response: Json, action = "IMAGINE") =>
  midjourney.readSubmit(response, Buffer.from(JSON.stringify(response)), action);
const parseBody = (response: ReturnType<typeof submit>): unknown => JSON.parse(String(response?.body));

describe("Midjourney proxy response to a submission", () => {
  it.each([
    [1, "IMAGINE", 1],
    [21, "UPSCALE", 1],
    [22, "IMAGINE", 1],
    [21, "INPAINT", 21],
    [21, "CUSTOM_ZOOM", 21],
  ])("with code %i of %s is accepted and returned as %i", (code, action, reported) => {
    const response = submit({ code, description: "ok", result: "1320098173412546", properties: { x: 1 } }, action);
    expect(response).toMatchObject({ outcome: "accepted", upstreamId: "1320098173412546", state: { code } });
    expect(parseBody(response)).toEqual({
      code: reported,
      description: "ok",
      result: "1320098173412546",
      properties: { x: 1 },
    });
  });

  it("reports a finished task for code 21 with an image", () => {
    const properties = { status: "SUCCESS", imageUrl: "https://cdn.example/a.png" };
    expect(submit({ code: 21, result: "7", properties })).toMatchObject({
      state: { status: "SUCCESS", imageUrl: "https://cdn.example/a.png" },
    });
  });

  it("finishes an upload at once", () => {
    expect(submit({ code: 1, result: "7" }, "UPLOAD")).toMatchObject({ state: { status: "SUCCESS" } });
  });

  it("returns the image URLs of an upload unchanged", () => {
    const result = ["https://cdn.example/a.png", "https://cdn.example/b.png"];
    const response = submit({ code: 1, description: "success", result }, "UPLOAD");
    expect(response).toMatchObject({ upstreamId: result[0], state: { status: "SUCCESS", imageUrl: result[0] } });
    expect(parseBody(response)).toEqual({ code: 1, description: "success", result });
    expect(submit({ code: 1, result: [] }, "UPLOAD")).toBeUndefined();
  });

  it.each([
    [3, true, true],
    [23, true, false],
    [24, false, false],
    [4, false, false],
  ])("with code %i is refused (elsewhere: %s, unfit: %s)", (code, canFailOver, isUnusable) => {
    expect(submit({ code, description: "no" })).toMatchObject({ outcome: "refused", canFailOver, isUnusable });
  });

  it.each([{}, { code: "1" }, { code: 1 }, { code: 1, result: "" }])("is unreadable: %j", (response) => {
    expect(submit(response)).toBeUndefined();
  });
});

describe("polled task", () => {
  it("is parsed from a Midjourney proxy", () => {
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

  it("is parsed from Suno, whose times are in seconds", () => {
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

  it.each([{ code: "error", data: [] }, [], "busy", undefined])("is unreadable from Suno: %j", (response) => {
    expect(suno.readPoll(response)).toBeUndefined();
  });
});
