import { optionsInForce } from "@turnpike/contract/options/options-in-force";
import { expect, it } from "vitest";
import { limitsOf } from "./limits.ts";

const options = optionsInForce(
  Object.entries({ ModelRequestRateLimitEnabled: "true", ModelRequestRateLimitCount: "5" }).map(([key, value]) => ({
    key,
    value,
  })),
);
const callOf = (tokenId: number) =>
  ({
    admitted: { caller: { known: { token: { id: tokenId, concurrentCalls: 0, tokensPerMinute: 0 } } } },
    group: "default",
    startedAtMs: 0,
  }) as unknown as Parameters<typeof limitsOf>[0];

it("applies the site's limits to requests by token, and not to playground requests", () => {
  expect(limitsOf(callOf(7), options, 10)).toContainEqual(expect.objectContaining({ name: "m", max: 5 }));
  expect(limitsOf(callOf(0), options, 10)).toEqual([]);
});
