import { describe, expect, it } from "vitest";
import { isFreeAction, getActionModel, readChange, readCustomId, readSimpleChange } from "./midjourney-actions.ts";

describe("button id", () => {
  it.each([
    ["MJ::JOB::upsample::2::3dbbd469-36af-4a0f", "UPSCALE", 2],
    ["MJ::JOB::upsample_v5_2x::1::3dbbd469::SOLO", "UPSCALE", 1],
    ["MJ::JOB::variation::4::3dbbd469", "VARIATION", 4],
    ["MJ::JOB::low_variation::1::3dbbd469::SOLO", "LOW_VARIATION", 1],
    ["MJ::JOB::high_variation::1::3dbbd469::SOLO", "HIGH_VARIATION", 1],
    ["MJ::JOB::pan_left::1::3dbbd469::SOLO", "PAN", 1],
    ["MJ::JOB::reroll::0::3dbbd469::SOLO", "REROLL", 1],
    ["MJ::Outpaint::50::1::3dbbd469::SOLO", "ZOOM", 1],
    ["MJ::CustomZoom::3dbbd469", "CUSTOM_ZOOM", 1],
    ["MJ::Inpaint::1::3dbbd469::SOLO", "INPAINT", 1],
  ])("parses %s as %s %i", (customId, action, index) => {
    expect(readCustomId(customId)).toEqual({ action, index });
  });

  it.each(["", "MJ", "MJ::BOOKMARK::3dbb", "MJ::JOB::upsample::x::3dbb"])("is refused: %j", (customId) => {
    expect(() => readCustomId(customId)).toThrow(expect.objectContaining({ code: "invalid_request" }) as Error);
  });
});

describe("single-line change", () => {
  it.each([
    ["1320098173412546 U2", "UPSCALE", 2],
    ["1320098173412546 v4", "VARIATION", 4],
    [" 1320098173412546  R ", "REROLL", 0],
  ])("parses %j as %s %i", (content, action, index) => {
    expect(readSimpleChange(content)).toEqual({ taskId: "1320098173412546", action, index });
  });

  it.each(["", "U2", "132 U5", "132 X1", "132 U2 U3"])("is refused: %j", (content) => {
    expect(() => readSimpleChange(content)).toThrow(expect.objectContaining({ param: "content" }) as Error);
  });
});

describe("change action", () => {
  it("requires an image index, except for a reroll", () => {
    expect(readChange("upscale", 3)).toEqual({ action: "UPSCALE", index: 3 });
    expect(readChange("REROLL", undefined)).toEqual({ action: "REROLL", index: 0 });
    expect(() => readChange("UPSCALE", 0)).toThrow(expect.objectContaining({ param: "index" }) as Error);
    expect(() => readChange("EXPLODE", 1)).toThrow(expect.objectContaining({ param: "action" }) as Error);
  });
});

it("prices actions by their own names", () => {
  expect(["IMAGINE", "HIGH_VARIATION", "SWAP_FACE"].map(getActionModel)).toEqual([
    "mj_imagine",
    "mj_high_variation",
    "swap_face",
  ]);
  expect(["INPAINT", "CUSTOM_ZOOM", "MODAL"].map(isFreeAction)).toEqual([true, true, false]);
});
