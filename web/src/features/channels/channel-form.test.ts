import { expect, it } from "vitest";
import { bodyOf, channelForm, countKeys, endsInVersion, NEW_CHANNEL } from "./channel-form.ts";

const filled = { ...NEW_CHANNEL, name: "main", key: "sk-1", models: ["gpt-4o"] };

it("wants a name, a key, a model and a group", () => {
  const result = channelForm(false).safeParse({ ...NEW_CHANNEL, groups: [] });
  expect(result.error?.issues.map(({ path }) => path[0]).sort()).toEqual(["groups", "key", "models", "name"]);
  const noKey = channelForm(false).safeParse({ ...filled, key: " " });
  expect(noKey.error?.issues[0]?.path).toEqual(["key"]);
  expect(channelForm(true).safeParse({ ...filled, key: "" }).success).toBe(true);
});

it("wants an address for the custom type only", () => {
  expect(channelForm(false).safeParse({ ...filled, type: 8 }).error?.issues[0]?.path).toEqual(["base_url"]);
  expect(channelForm(false).safeParse(filled).success).toBe(true);
});

it("refuses JSON that is broken or no object", () => {
  for (const model_mapping of ["{", "[]", '"text"']) {
    expect(channelForm(false).safeParse({ ...filled, model_mapping }).success).toBe(false);
  }
});

it("strips the slash at the end of an address and joins the lists", () => {
  expect(bodyOf({ ...filled, base_url: "https://a.example/", models: ["a", "b"] })).toMatchObject({
    base_url: "https://a.example",
    models: "a,b",
    group: "default",
    auto_ban: 1,
  });
});

it("counts keys by commas and lines, and notices a version in the address", () => {
  expect(countKeys("a, b\nc\n")).toBe(3);
  expect(endsInVersion("https://a.example/v1/")).toBe(true);
  expect(endsInVersion("https://a.example")).toBe(false);
});
