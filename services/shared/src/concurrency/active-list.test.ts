import { expect, it } from "vitest";
import { ActiveList } from "./active-list.ts";

it("lists what was added and not removed, whatever the order", () => {
  const list = new ActiveList<string>();
  const [first, second, third] = ["a", "b", "c"].map((item) => list.add(item));
  if (!first || !second || !third) throw new Error("not added");
  list.remove(first);
  expect(list.list().toSorted()).toEqual(["b", "c"]);
  list.remove(third);
  list.remove(third);
  expect(list.list()).toEqual(["b"]);
  const fourth = list.add("d");
  list.remove(second);
  expect(list.list()).toEqual(["d"]);
  list.remove(fourth);
  expect(list.list()).toEqual([]);
});

it("lets items be removed while a caller goes through them", () => {
  const list = new ActiveList<number>();
  const places = [1, 2, 3, 4].map((item) => list.add(item));
  const seen: number[] = [];
  for (const item of list.list()) {
    seen.push(item);
    for (const place of places) list.remove(place);
  }
  expect(seen).toEqual([1, 2, 3, 4]);
  expect(list.list()).toEqual([]);
});
