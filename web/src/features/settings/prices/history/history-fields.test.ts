import { PRICE_KEYS } from "@turnpike/contract/options/price-options";
import { expect, it } from "vitest";
import { HISTORY_FIELDS } from "./history-fields.ts";

it("names every price option in the price history", () => {
  const named = HISTORY_FIELDS.map(({ key }) => key);
  expect(PRICE_KEYS.filter((key) => !named.includes(key))).toEqual([]);
});
