import { expect, it } from "vitest";
import { describeDevice } from "./device.ts";

it("names browser and system", () => {
  const chrome =
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
  expect(describeDevice(chrome)).toBe("Chrome · Linux");
  expect(describeDevice(`${chrome} Edg/140.0`)).toBe("Edge · Linux");
  const phone =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1";
  expect(describeDevice(phone)).toBe("Safari · iPhone");
});

it("shows the beginning of an unknown user agent", () => {
  expect(describeDevice("SomeClient/1.0")).toBe("SomeClient/1.0");
  expect(describeDevice("x".repeat(100))).toHaveLength(40);
  expect(describeDevice("")).toBe("");
});
