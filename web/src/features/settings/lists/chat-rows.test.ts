import { expect, it } from "vitest";
import { chatOption, chatRows } from "./chat-rows.ts";

it("turns the option into rows and back", () => {
  const source = '[{"Lobe":"https://lobe.example.com/?key={key}"},{"OpenCat":"opencat://team/join?token={key}"}]';
  const rows = chatRows(source);
  expect(rows?.map(({ name }) => name)).toEqual(["Lobe", "OpenCat"]);
  expect(JSON.parse(chatOption(rows ?? []))).toEqual(JSON.parse(source));
});

it("has no rows for an option in another form", () => {
  expect(chatRows("{")).toBeUndefined();
  expect(chatRows("{}")).toBeUndefined();
  expect(chatRows('[{"a":"b","c":"d"}]')).toBeUndefined();
  expect(chatRows('[{"a":1}]')).toBeUndefined();
});
