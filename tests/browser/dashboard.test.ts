import { expect, it } from "vitest";
import { barriersOf } from "./barriers.ts";
import { DESK, openWindow, settle } from "./browser.ts";
import { useConsole } from "./console-world.ts";
import { sidewaysScrollers } from "./in-page.ts";
import { furnish } from "./tour-shop.ts";

const at = useConsole(async (world, upstream) => {
  const root = await world.root();
  await root.put("/api/option/", { key: "LogErrorEnabled", value: "true" });
  await furnish(world, upstream);
});

it("shows an admin what was used, how fast it was answered, who used most, each chart with its figures", async () => {
  await at.open("/app/dashboard?days=1");
  const byModel = at.page.getByRole("row").filter({ hasText: "claude-3-5-sonnet-20241022" });
  await byModel.getByText(/%$/).waitFor();
  await at.page.getByRole("heading", { name: "Latency and errors" }).waitFor();
  const figures = at.page.getByRole("region", { name: "Figures of latency and errors" });
  const whole = figures.getByRole("row").filter({ hasText: "Whole range" });
  await whole.getByText("10", { exact: true }).waitFor();
  await whole.getByText(/%$/).waitFor();
  await at.page.getByRole("tab", { name: "Error rate" }).click();
  await at.page.getByRole("heading", { name: "Top users" }).waitFor();
  await at.page.getByRole("link", { name: /anthropic/ }).waitFor();
  expect(await barriersOf(at.page, "all")).toEqual([]);
  await at.page.emulateMedia({ colorScheme: "dark" });
  expect(await barriersOf(at.page, "all")).toEqual([]);
  expect(at.visitor.trouble).toEqual([]);
});

it("keeps the span and the interval in the address, and one's own use apart from the site's", async () => {
  await at.open("/app/dashboard");
  await at.page.getByLabel("Time range").selectOption({ label: "Last 24 hours" });
  await at.page.waitForURL("**days=1**");
  await at.page.getByLabel("Interval").selectOption({ label: "By day" });
  await at.page.waitForURL("**by=day**");
  await at.page.getByLabel("Whose usage").selectOption({ label: "Mine" });
  await at.page.waitForURL("**scope=self**");
  await at.page.getByRole("heading", { name: "Top users" }).waitFor({ state: "detached" });
  expect(at.visitor.trouble).toEqual([]);
});

it("fits a phone", async () => {
  const phone = await openWindow(at.browser, at.world.consoleUrl, { ...DESK, width: 375 }, at.session);
  await phone.page.goto("/app/dashboard?days=1");
  await settle(phone.page);
  await phone.page.getByRole("heading", { name: "Top channels" }).waitFor();
  expect(await sidewaysScrollers(phone.page)).toEqual([]);
  await phone.context.close();
});
