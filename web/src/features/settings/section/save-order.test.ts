import { expect, it } from "vitest";
import { inSaveOrder } from "./save-order.ts";

it("switches off first, then stores values, then switches on", () => {
  const ordered = inSaveOrder([
    { key: "GitHubOAuthEnabled", value: "true" },
    { key: "GitHubClientId", value: "id" },
    { key: "TelegramOAuthEnabled", value: "false" },
  ]);
  expect(ordered.map(({ key }) => key)).toEqual(["TelegramOAuthEnabled", "GitHubClientId", "GitHubOAuthEnabled"]);
});
