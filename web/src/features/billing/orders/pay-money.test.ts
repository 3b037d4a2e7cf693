import { expect, it } from "vitest";
import { formatPayMoney } from "./pay-money.ts";

it("formats money in its currency", () => {
  expect(formatPayMoney("73.05", "cny", "zh")).toBe("¥73.05");
  expect(formatPayMoney("1234.5", "usd", "en")).toBe("$1,234.50");
});

it("returns unreadable text unchanged", () => {
  expect(formatPayMoney("73.05", "", "en")).toBe("73.05");
});
