import { expect, it } from "vitest";
import { findViolations } from "./accessibility.ts";
import { DESK, keepScreenshot, openWindow, settle } from "./browser.ts";
import { useConsole } from "./console-world.ts";
import { sidewaysScrollers } from "./in-page.ts";

const at = useConsole(async (_, upstream) => {
  upstream.always({}, { text: "Hello from the first call.", usage: { inputTokens: 40, outputTokens: 8 } });
});

it("leads from a key to the first paid call, with its response, its cost and its log row", async () => {
  const { page } = at;
  await at.open("/admin/start");
  await page.getByRole("button", { name: "Connect and test" }).click();
  await page.getByText("Please enter a key", { exact: false }).waitFor();
  await page.getByLabel("Key").fill("sk-ant-first-1234");
  await page.getByRole("combobox", { name: "Type" }).filter({ hasText: "Anthropic" }).waitFor();
  await page.getByLabel("Key").fill("sk-first-1234");
  await page.getByLabel("Base URL").fill(at.upstream.url);
  expect(await findViolations(page)).toEqual([]);
  await keepScreenshot(page, "start-provider-en-light-1440");
  await page.getByRole("button", { name: "Connect and test" }).click();
  await page.getByText(/^Connected OpenAI: \d+ of \d+ models have a price/).waitFor();
  await page.getByText(/^The test passed in/).waitFor();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Create a token" }).last().click();
  await page.getByRole("tab", { name: "Claude Code" }).waitFor();
  await page.getByRole("tab", { name: "Codex" }).click();
  await page.getByText('wire_api = "responses"').waitFor();
  // A new channel reaches the relay within a second.
  await expect
    .poll(
      async () => {
        await page.getByRole("button", { name: "Run it here" }).click();
        await settle(page);
        return page.getByText("Hello from the first call.").count();
      },
      { timeout: 15_000 },
    )
    .toBe(1);
  const cost = page.getByRole("link", { name: /40 tokens in, 8 out/ });
  await cost.waitFor();
  expect(await cost.innerText()).toMatch(/\$0\.\d+/);
  expect(await findViolations(page)).toEqual([]);
  await keepScreenshot(page, "start-call-en-light-1440");
  await cost.click();
  await page.waitForURL("**/app/logs/api-usage?request=**");
  await page.getByText("Total (rounded to a quota unit)").waitFor();
  // One row, which opens by itself.
  const rows = page.locator("tr > td:first-child > button[aria-expanded]");
  expect(await rows.evaluateAll((buttons) => buttons.map((button) => button.ariaExpanded))).toEqual(["true"]);
  expect(at.visitor.problems).toEqual([]);
});

it("fits a phone, and every step can be skipped", async () => {
  const phone = await openWindow(at.browser, at.world.consoleUrl, { ...DESK, width: 375 }, at.session);
  await phone.page.goto("/admin/start");
  for (const step of [2, 3]) {
    // oxlint-disable-next-line no-await-in-loop -- one step after the other
    await phone.page.getByRole("button", { name: "Skip this step" }).click();
    // oxlint-disable-next-line no-await-in-loop
    await phone.page.waitForURL(`**step=${step}**`);
    // oxlint-disable-next-line no-await-in-loop
    expect(await sidewaysScrollers(phone.page)).toEqual([]);
  }
  await phone.context.close();
});
