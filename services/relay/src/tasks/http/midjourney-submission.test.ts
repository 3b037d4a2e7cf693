import { optionsInForce } from "@turnpike/contract/options/options-in-force";
import { describe, expect, it } from "vitest";
import type { Json } from "../../core/chat/chat.ts";
import { SUBMISSIONS, type SubmitKind } from "../wire/midjourney-actions.ts";
import { readSubmission } from "./midjourney-submission.ts";

const read = (path: string, body: Json, options: Record<string, string> = {}) =>
  readSubmission(
    body,
    SUBMISSIONS[path] as SubmitKind,
    optionsInForce(Object.entries(options).map(([key, value]) => ({ key, value }))),
  );

describe("Midjourney submission", () => {
  it.each<[string, Json, object]>([
    ["submit/imagine", { prompt: "a cat" }, { action: "IMAGINE", model: "mj_imagine", originId: undefined }],
    ["submit/describe", { base64: "x" }, { action: "DESCRIBE", model: "mj_describe" }],
    ["submit/blend", { base64Array: ["x"] }, { model: "mj_blend" }],
    ["insight-face/swap", { sourceBase64: "x", targetBase64: "y" }, { action: "SWAP_FACE", model: "swap_face" }],
    ["submit/change", { taskId: "7", action: "upscale", index: 2 }, { action: "UPSCALE", originId: "7" }],
    ["submit/change", { taskId: 7, action: "REROLL" }, { model: "mj_reroll", originId: "7" }],
    ["submit/simple-change", { content: "7 V3" }, { action: "VARIATION", originId: "7" }],
    [
      "submit/action",
      { taskId: "7", customId: "MJ::Inpaint::1::x" },
      { action: "INPAINT", isFree: true, originId: "7", needsSuccess: true },
    ],
    ["submit/modal", { taskId: "7", prompt: "red" }, { model: "mj_modal", originId: "7", needsSuccess: false }],
  ])("is parsed: %s %j", (path, body, expected) => {
    expect(read(path, body)).toMatchObject(expected);
  });

  it.each<[string, Json, string]>([
    ["submit/imagine", {}, "prompt"],
    ["submit/imagine", { prompt: "  " }, "prompt"],
    ["submit/blend", { base64Array: [] }, "base64Array"],
    ["submit/change", { action: "UPSCALE", index: 1 }, "taskId"],
    ["submit/change", { taskId: "7", action: "UPSCALE" }, "index"],
    ["submit/action", { taskId: "7" }, "customId"],
    ["insight-face/swap", { sourceBase64: "x" }, "targetBase64"],
  ])("of %s %j is refused without %s", (path, body, param) => {
    expect(() => read(path, body)).toThrow(expect.objectContaining({ code: "invalid_request", param }) as Error);
  });

  const complete = {
    prompt: "--fast a cat --turbo --fastest --relax",
    accountFilter: { modes: ["FAST"] },
    notifyHook: "https://h.example",
  };

  it("is sent upstream without the fields that the site does not pass on", () => {
    expect(read("submit/imagine", { ...complete, extra: 1 }).body).toEqual({ prompt: complete.prompt, extra: 1 });
  });

  it("is sent upstream with the fields that the site passes on, without mode flags", () => {
    const options = { MjAccountFilterEnabled: "true", MjNotifyEnabled: "true", MjModeClearEnabled: "true" };
    expect(read("submit/imagine", complete, options)).toMatchObject({
      body: { prompt: "a cat --fastest", accountFilter: complete.accountFilter, notifyHook: complete.notifyHook },
      notifyHook: complete.notifyHook,
    });
  });

  it("does not require a successful original task if the site's option is off", () => {
    const body = { taskId: "7", action: "UPSCALE", index: 1 };
    expect(read("submit/change", body).needsSuccess).toBe(true);
    expect(read("submit/change", body, { MjActionCheckSuccessEnabled: "false" }).needsSuccess).toBe(false);
  });
});
