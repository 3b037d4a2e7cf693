import { expect, it } from "vitest";
import { toRequestBody, channelForm, hasVersionPath, NEW_CHANNEL } from "./channel-form.ts";
import { parseKeys, isKeyList } from "./key-list.ts";
import { isSettable, getSetting, setSetting } from "./setting-helpers.ts";

const filled = { ...NEW_CHANNEL, name: "main", key: "sk-1", models: ["gpt-4o"] };
const problems = (values: object, hasKey = false) =>
  (channelForm(hasKey).safeParse({ ...filled, ...values }).error?.issues ?? []).map(({ path, message }) => [
    path[0],
    message,
  ]);

it("requires a name, a key, a model and a group", () => {
  const result = channelForm(false).safeParse({ ...NEW_CHANNEL, name: "", groups: [] });
  expect(result.error?.issues.map(({ path }) => path[0]).sort()).toEqual(["groups", "key", "models", "name"]);
  expect(problems({ key: " " })).toEqual([["key", "请填写渠道名称和渠道密钥！"]]);
  expect(problems({ key: "" }, true)).toEqual([]);
});

it("requires an address for types without a default", () => {
  expect(problems({ type: 8 })).toEqual([["base_url", "该类型的渠道必须填写地址"]]);
  expect(problems({})).toEqual([]);
});

it.each([
  ["model_mapping", "模型重定向必须是合法的 JSON 格式！"],
  ["status_code_mapping", "状态码映射必须是合法的 JSON 格式！"],
  ["param_override", "参数覆盖必须是合法的 JSON 格式！"],
  ["setting", "渠道设置必须是合法的 JSON 格式！"],
])("refuses an invalid %s or one that is not an object, by its name", (field, message) => {
  for (const value of ["{", "[]", '"text"']) expect(problems({ [field]: value })).toEqual([[field, message]]);
});

it("requires integers for priority and weight, within their limits", () => {
  expect(problems({ priority: 1.5, weight: -1 })).toEqual([
    ["priority", "优先级必须是整数！"],
    ["weight", "权重必须是非负整数！"],
  ]);
  expect(problems({ priority: -1000 })).toEqual([["priority", "优先级不能小于 -999"]]);
  expect(problems({ priority: -999, weight: 0 })).toEqual([]);
});

it("accepts a region for Vertex as a word or as JSON, and refuses invalid JSON", () => {
  const vertex = { type: 41, other: "us-central1" };
  expect(problems(vertex)).toEqual([]);
  expect(problems({ ...vertex, other: '{"default":"global"}' })).toEqual([]);
  expect(problems({ ...vertex, other: "{default" })).toEqual([["other", "区域必须是合法的 JSON 格式！"]]);
  for (const other of ['{"gemini-2.0-flash":"us-central1"}', '{"default":""}', '{"default":"global","a":1}'])
    expect(problems({ ...vertex, other })).toEqual([["other", "区域的 JSON 必须有 default！"]]);
});

it("strips the trailing slash of an address and joins the lists", () => {
  expect(toRequestBody({ ...filled, base_url: "https://a.example/", models: ["a", "b"] })).toMatchObject({
    base_url: "https://a.example",
    models: "a,b",
    group: "default",
    auto_ban: 1,
    other: "",
  });
});

it("fills in iFlytek's default version", () => {
  expect(toRequestBody({ ...filled, type: 18 }).other).toBe("v2.1");
  expect(toRequestBody({ ...filled, type: 18, other: "v4.0" }).other).toBe("v4.0");
});

it("separates keys by commas and lines, except for a service account's document", () => {
  expect(parseKeys(1, "a, b\nc\n")).toEqual(["a", "b", "c"]);
  expect(parseKeys(41, '{"a":1,\n"b":2}')).toHaveLength(1);
  expect([isKeyList(1, "a,b"), isKeyList(1, "a\n"), isKeyList(41, "a,b")]).toEqual([true, false, false]);
});

it("detects a version in the address", () => {
  expect(
    ["https://a.example/v1/", "https://a.example", "https://a.openai.azure.com/openai/v1"].map(hasVersionPath),
  ).toEqual([true, false, false]);
});

it("changes one part of a setting and keeps the others, and never changes an invalid text", () => {
  const source = '{"other":1}';
  const drained = setSetting(source, "on_client_disconnect", "drain");
  expect(JSON.parse(drained)).toEqual({ other: 1, on_client_disconnect: "drain" });
  expect(getSetting(drained, "on_client_disconnect")).toBe("drain");
  expect(setSetting('{"on_client_disconnect":"drain"}', "on_client_disconnect", undefined)).toBe("");
  expect([setSetting("{", "a", 1), isSettable("{"), isSettable("")]).toEqual(["{", false, true]);
});
