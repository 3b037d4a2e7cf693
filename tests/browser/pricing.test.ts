import { expect, it } from "vitest";
import type { ConsoleClient } from "../lib/console-client.ts";
import { openShop } from "../lib/shop.ts";
import { barriersOf } from "./barriers.ts";
import { openWindow, settle } from "./browser.ts";
import { useConsole } from "./console-world.ts";

let root: ConsoleClient;

const at = useConsole(async (world, upstream) => {
  ({ root } = await openShop(world, upstream.url));
});

const rowOf = (name: string) => at.page.getByRole("row").filter({ hasText: name });

it("a visitor reads the prices, by vendor and name, and copies a name", async () => {
  const { page: open, context, trouble } = await openWindow(at.browser, at.world.consoleUrl);
  await open.goto("/pricing");
  await settle(open);
  await open.getByLabel("Vendor").selectOption({ label: "OpenAI (2)" });
  await open.waitForURL("**vendor=OpenAI**");
  const row = open.getByRole("row").filter({ hasText: "gpt-4o-mini" });
  await row.getByText("$0.15", { exact: true }).waitFor();
  await row.getByText("$0.60", { exact: true }).waitFor();
  expect(await open.getByRole("row").filter({ hasText: "claude" }).count()).toBe(0);
  await row.getByRole("button", { name: "Copy model name" }).click();
  expect(await open.evaluate("navigator.clipboard.readText()")).toBe("gpt-4o-mini");
  expect(await barriersOf(open, "all")).toEqual([]);
  expect(trouble).toEqual([]);
  await context.close();
});

it("a site that keeps its prices to its users asks visitors to sign in", async () => {
  await root.put("/api/option/", { key: "PublicPricingEnabled", value: "false" });
  const { page: open, context } = await openWindow(at.browser, at.world.consoleUrl);
  await open.goto("/pricing");
  await open.getByText("This site shows its prices to people who are signed in.").waitFor();
  await context.close();
  await root.put("/api/option/", { key: "PublicPricingEnabled", value: "true" });
});

it("a price that is changed in the table is charged from then on, and its history says who did it", async () => {
  await at.open("/admin/settings");
  const section = at.page.getByRole("region", { name: "Pricing", exact: true });
  await section
    .getByLabel(/search/i)
    .first()
    .fill("gpt-4o-mini");
  await section.getByRole("button", { name: "Change the price of gpt-4o-mini", exact: true }).click();
  const dialog = at.page.getByRole("dialog");
  await dialog.getByLabel("Input price ($ per 1M tokens)").fill("0.5");
  await dialog.getByRole("button", { name: "OK" }).click();
  await section.getByRole("button", { name: "Save" }).click();
  await section.getByText(/unsaved change/).waitFor({ state: "detached" });
  await section.getByRole("button", { name: "History" }).click();
  const history = at.page.getByRole("dialog", { name: "History of prices" });
  const change = history.getByRole("listitem").filter({ hasText: "gpt-4o-mini" }).filter({ hasText: "0.075" });
  await change.getByText("0.25", { exact: true }).waitFor();
  await change.getByText("root").waitFor();
  expect(await barriersOf(at.page, "all")).toEqual([]);
  await at.page.keyboard.press("Escape");
  await at.page.goto("/pricing");
  await rowOf("gpt-4o-mini").getByText("$0.50", { exact: true }).waitFor();
  expect(at.visitor.trouble).toEqual([]);
});
