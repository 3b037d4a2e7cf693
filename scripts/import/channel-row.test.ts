import { expect, it } from "vitest";
import { whyOff } from "./channel-row.ts";

const row = { other_info: '{"status_reason":"invalid_api_key","status_time":1700000000}' };

it("keeps the reason and the time for a channel that the source system disabled", () => {
  expect(whyOff(row, 3)).toEqual({ statusReason: "invalid_api_key", statusAtSeconds: 1_700_000_000 });
  for (const [status, other_info] of [
    [1, row.other_info],
    [3, ""],
    [3, '{"status_time":"then"}'],
  ] as const)
    expect(whyOff({ other_info }, status)).toEqual({ statusReason: "", statusAtSeconds: 0 });
});
