import type { ChannelInput } from "@turnpike/proto/channel/v1/channel_service";
import { describe, expect, it } from "vitest";
import { applyInput, NEW_CHANNEL, splitList } from "./channel-fields.ts";

const form: ChannelInput = { name: "main", type: 1, models: "gpt-4o" };
const create = (extra: ChannelInput = {}) => applyInput(NEW_CHANNEL, { ...form, ...extra });

describe("channel form", () => {
  it("fills omitted fields with the defaults", () => {
    expect(create()).toMatchObject({ groups: ["default"], autoBan: true, priority: 0, weight: 0, baseUrl: "" });
  });

  it("changes only the fields that are present on an edit", () => {
    const before = create({ tag: "eu", weight: 3, setting: `{"proxy":""}` });
    expect(applyInput(before, { name: " renamed " })).toEqual({ ...before, name: "renamed" });
    expect(applyInput(before, {})).toEqual(before);
  });

  it("reads lists with blanks, duplicates and new lines", () => {
    expect(splitList(" a, b ,,a\nc\r\n")).toEqual(["a", "b", "c"]);
    for (const models of ["a，b", "a;b", "a；b", "a、b", "a\u200B,b"])
      expect(create({ models }).models).toEqual(["a", "b"]);
    expect(create({ models: "b,a,b", group: " vip , default " })).toMatchObject({
      models: ["b", "a"],
      groups: ["vip", "default"],
    });
    expect(create({ group: " , " }).groups).toEqual(["default"]);
  });

  it.each([
    ["https://host/v1/", "https://host/v1"],
    [" http://10.0.0.7:8080// ", "http://10.0.0.7:8080"],
    ["http://host/x/{model}/chat", "http://host/x/{model}/chat"],
    ["", ""],
  ])("stores the address %j as %j", (baseUrl, stored) => {
    expect(create({ baseUrl }).baseUrl).toBe(stored);
  });

  it.each<[string, ChannelInput]>([
    ["channel_name_and_key_required", { name: "  " }],
    ["channel_models_required", { models: " ,, " }],
    ["channel_model_name_invalid", { models: "é".repeat(128) }],
    ["channel_type_unsupported", { type: 9_999 }],
    ["channel_base_url_required", { type: 8 }],
    ["channel_base_url_invalid", { baseUrl: "host.example" }],
    ["channel_base_url_invalid", { baseUrl: "ftp://host.example" }],
    ["channel_base_url_invalid", { baseUrl: "https://user:secret@host.example" }],
    ["channel_json_invalid", { modelMapping: "{" }],
    ["channel_json_invalid", { statusCodeMapping: "[]" }],
    ["channel_json_invalid", { setting: "null" }],
    ["channel_json_invalid", { paramOverride: `"text"` }],
    ["channel_mapping_invalid", { modelMapping: `{"a":1}` }],
    ["channel_mapping_invalid", { modelMapping: `{"a":""}` }],
    ["channel_mapping_invalid", { statusCodeMapping: `{"400":"200"}` }],
    ["channel_mapping_invalid", { statusCodeMapping: `{"all":"500"}` }],
    ["channel_priority_invalid", { priority: 1.5 }],
    ["channel_priority_invalid", { priority: -1000 }],
    ["channel_weight_invalid", { weight: -1 }],
    ["channel_number_invalid", { maxInputTokens: 2 ** 60 }],
    ["invalid_input", { autoBan: 2 }],
    ["invalid_input", { modelPrefix: "a,b" }],
    ["text_too_long", { tag: "x".repeat(256) }],
  ])("refuses with %s: %j", (code, extra) => {
    expect(() => create(extra)).toThrow(expect.objectContaining({ code }) as Error);
  });

  it("accepts mappings as compatible consoles write them", () => {
    const fields = { modelMapping: `{"gpt-4":"gpt-4o"}`, statusCodeMapping: `{"400":"500","429":503}` };
    expect(create(fields)).toMatchObject(fields);
  });
});
