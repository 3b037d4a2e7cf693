import { expect, it } from "vitest";
import { toProblem } from "./catalogue-problem.ts";

it("states in the caller's language why the daily comparison failed", () => {
  const problem = JSON.stringify({ code: "catalogue_unreachable", params: { detail: "HTTP 503" } });
  expect(toProblem(problem, "en")).toBe("The price catalogue could not be fetched: HTTP 503");
  expect(toProblem(problem, "zh")).toBe("无法获取价格目录：HTTP 503");
  expect(toProblem("", "en")).toBe("");
  expect(toProblem("catalogue_unreachable HTTP 503", "en")).toBe("catalogue_unreachable HTTP 503");
});
