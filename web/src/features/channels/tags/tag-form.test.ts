import { expect, it } from "vitest";
import { toTagEdit, TagForm, toTagValues } from "./tag-form.ts";

const before = { ...toTagValues("spare", []), priority: "5", weight: "" };
const edit = (more: Partial<typeof before>) => toTagEdit("spare", before, { ...before, ...more });

it("sends only what changed, and nothing when nothing changed", () => {
  expect(edit({})).toBeUndefined();
  expect(edit({ priority: "5", weight: "3" })).toEqual({ tag: "spare", weight: 3 });
  expect(edit({ priority: "" })).toBeUndefined();
  expect(edit({ name: "", models: ["a", "b"], groups: ["vip"] })).toEqual({
    tag: "spare",
    new_tag: "",
    models: "a,b",
    groups: "vip",
  });
});

it("requires integers and a JSON object", () => {
  const result = TagForm.safeParse({ ...before, priority: "1.5", weight: "-1", model_mapping: "[" });
  expect(result.error?.issues.map(({ path, message }) => [path[0], message])).toEqual([
    ["priority", "优先级必须是整数！"],
    ["weight", "权重必须是非负整数！"],
    ["model_mapping", "模型重定向必须是合法的 JSON 格式！"],
  ]);
});
