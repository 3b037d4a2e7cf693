import { describe, expect, it } from "vitest";
import { openTestSite } from "../lib/test-site.ts";
import { findViolations } from "./accessibility.ts";
import { keepScreenshot, openWindow, settle } from "./browser.ts";
import { useConsole } from "./console-world.ts";

const at = useConsole(async (world, upstream) => {
  await openTestSite(world, upstream.url);
});

describe("API reference", () => {
  it("shows a visitor the calls of both APIs, and opens one to its fields by keyboard", async () => {
    const { page: open, context, problems } = await openWindow(at.browser, at.world.consoleUrl);
    await open.goto("/api-reference");
    await settle(open);
    const chat = open.getByRole("button", { name: /POST \/v1\/chat\/completions/ });
    await chat.press("Enter");
    await open.getByRole("heading", { name: "Request body" }).waitFor();
    await open.getByText("messages", { exact: true }).first().waitFor();
    await open.getByText(`curl -X POST '${at.world.consoleUrl}/v1/chat/completions'`).waitFor();
    await open.getByRole("tab", { name: "Console API" }).click();
    await open.getByLabel("Search calls").fill("create token");
    await open.waitForURL("**keyword=create**");
    const create = open.getByRole("button", { name: /POST \/api\/token\// });
    await create.click();
    await open.getByText("remain_quota", { exact: true }).first().waitFor();
    expect(await open.getByRole("button", { name: /\/api\/channel/ }).count()).toBe(0);
    expect(await findViolations(open, "all")).toEqual([]);
    await keepScreenshot(open, "api-reference");
    await open.getByLabel("Search calls").fill("no such call");
    await open.getByText("No call matches.").waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });
});
