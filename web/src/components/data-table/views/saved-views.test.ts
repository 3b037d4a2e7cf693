import { expect, it } from "vitest";
import { type SavedView, toViewSearch, withName, withView } from "./saved-views.ts";

const view = (name: string, group = "default"): SavedView => ({ name, search: { group }, visibility: {}, order: [] });

it("keeps filters and order of an address, not the page", () => {
  expect(toViewSearch({ page: 4, size: 50, order: "spent", group: undefined })).toEqual({ size: 50, order: "spent" });
});

it("adds a view, or replaces the one of the same name in its place", () => {
  const views = [view("a"), view("b")];
  expect(withView(views, view("c")).map(({ name }) => name)).toEqual(["a", "b", "c"]);
  expect(withView(views, view("a", "vip"))).toEqual([view("a", "vip"), view("b")]);
});

it("renames a view, but not to an empty name or to that of another view", () => {
  const views = [view("a"), view("b")];
  expect(withName(views, "a", "c")?.map(({ name }) => name)).toEqual(["c", "b"]);
  expect(withName(views, "a", "a")).toEqual(views);
  expect(withName(views, "a", "b")).toBeUndefined();
  expect(withName(views, "a", "")).toBeUndefined();
});
