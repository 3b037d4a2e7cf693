import { LOG_TYPE } from "@turnpike/contract/codes";
import { expect, it } from "vitest";
import { toLogSearch } from "./log-link.tsx";

it("filters the log as a figure was summed, with the end of its time excluded", () => {
  const span = { startSeconds: 3_600, endSeconds: 7_200 };
  expect(toLogSearch({ username: "ada", model: undefined, span })).toEqual({
    type: LOG_TYPE.consume,
    username: "ada",
    range: "custom",
    start: 3_600,
    end: 7_199,
  });
  expect(toLogSearch({ failed: true, channel: 3 })).toEqual({ type: LOG_TYPE.error, channel: 3, range: "all" });
});
