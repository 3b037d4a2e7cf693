import { optionsInForce } from "@turnpike/contract/options/options-in-force";
import { expect, it } from "vitest";
import { getLimits } from "./limits.ts";

const options = optionsInForce(
  Object.entries({ ModelRequestRateLimitEnabled: "true", ModelRequestRateLimitCount: "5" }).map(([key, value]) => ({
    key,
    value,
  })),
);
const getCall = (tokenId: number) =>
  ({
    admitted: { caller: { known: { token: { id: tokenId, concurrentCalls: 0, tokensPerMinute: 0 } } } },
    group: "default",
  }) as unknown as Parameters<typeof getLimits>[0];

it("applies the site's limits to requests by token, and not to playground requests", () => {
  expect(getLimits(getCall(7), options, 10)).toContainEqual(expect.objectContaining({ name: "m", max: 5 }));
  expect(getLimits(getCall(0), options, 10)).toEqual([]);
});
