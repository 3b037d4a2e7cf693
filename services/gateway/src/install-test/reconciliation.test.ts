import { expect, it } from "vitest";
import { findDifferences } from "./reconciliation.ts";

const rows = [
  { request_id: "a", quota: 3 },
  { request_id: "b", quota: 4 },
];
const reconciliation = { rows, credited: 100, balance: 93, spent: 7 };

it("finds nothing when every call is charged once", () => {
  expect(findDifferences(2, reconciliation)).toEqual([]);
});

it("finds a call that was posted twice, by its row and by its charge", () => {
  const twice = { ...reconciliation, rows: [...rows, { request_id: "b", quota: 4 }], balance: 89, spent: 11 };
  expect(findDifferences(2, twice)).toEqual([
    "2 calls were made, the log has 3",
    "1 calls are in the log more than once",
  ]);
  expect(findDifferences(2, { ...reconciliation, balance: 89 })).toEqual(["the balance fell by 11, the log charges 7"]);
});

it("finds a call that is lost or free", () => {
  expect(findDifferences(3, reconciliation)).toEqual(["3 calls were made, the log has 2"]);
  const free = { ...reconciliation, rows: [...rows, { request_id: "c", quota: 0 }] };
  expect(findDifferences(3, free)).toEqual(["a call was not charged"]);
});
