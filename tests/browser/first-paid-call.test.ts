import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../lib/fake-upstream/fake-upstream.ts";
import { testBacking } from "../lib/backing/test-backing.ts";
import { ROOT_USER, startWorld, type World } from "../lib/world.ts";
import { keepScreenshot, recordProblem, openWindow, settle, signIn, startBrowser, type Visitor } from "./browser.ts";

const MODEL = "gpt-4o-mini";
const UPSTREAM_KEY = "sk-upstream-secret-7788";
// The usage that the upstream reports for each call, and the prices set in the console: dollars per million tokens.
const USAGE = { inputTokens: 4_000, cachedTokens: 1_000, outputTokens: 500, reasoningTokens: 0 };
const PRICE = { input: 3, output: 9 };

let world: World;
let upstream: FakeUpstream;
let browser: Browser;
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  upstream = await startFakeUpstream({ keys: [UPSTREAM_KEY] });
  upstream.always({}, { text: "It works.", usage: USAGE });
  [world, browser] = await Promise.all([startWorld({ backing: testBacking(), withRoot: false }), startBrowser()]);
  visitor = await openWindow(browser, world.consoleUrl);
  page = visitor.page;
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await world?.stop();
  await upstream?.stop();
});

const toast = (text: string | RegExp) => page.getByRole("listitem").filter({ hasText: text }).waitFor();

async function goTo(name: string): Promise<void> {
  await page.getByRole("navigation", { name: "Main navigation" }).getByRole("link", { name }).click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
}

/** An amount of money as the console shows it, in dollars. */
const dollars = (text: string | null): number => Number((text ?? "").replace(/[^0-9.<-]/g, "") || Number.NaN);
const numbersIn = async (cells: Promise<string[]>): Promise<number[]> => (await cells).map(dollars);

async function setUpAndSignIn(): Promise<void> {
  await page.goto("/");
  await page.waitForURL("**/setup");
  await page.getByLabel("Administrator's user name").fill(ROOT_USER.username);
  await page.getByLabel("Password", { exact: true }).fill(ROOT_USER.password);
  await page.getByLabel("Confirm password").fill("something else");
  await page.getByRole("button", { name: "Complete setup" }).click();
  await page.getByText("The two passwords differ").waitFor();
  await page.getByLabel("Confirm password").fill(ROOT_USER.password);
  await page.getByRole("radio", { name: "Serve other users" }).click();
  await keepScreenshot(page, "setup-en-light-1440");
  await page.getByRole("button", { name: "Complete setup" }).click();
  await page.waitForURL("**/login?*");
  await signIn(page);
  await page.waitForURL("**/admin/start");
  await page.getByRole("link", { name: "Go to the dashboard" }).click();
  await page.waitForURL("**/app/dashboard");
}

async function connectChannel(): Promise<void> {
  await page.getByRole("link", { name: "New channel" }).click();
  const sheet = page.getByRole("dialog", { name: "New channel" });
  await sheet.getByLabel("Name").fill("First upstream");
  await sheet.getByLabel("Key").fill(UPSTREAM_KEY);
  await sheet.getByLabel("Base URL").fill(upstream.url);
  await sheet.getByRole("button", { name: "Fetch from upstream" }).click();
  const picker = page.getByRole("dialog", { name: "Choose models" });
  await picker.getByRole("button", { name: "Select none" }).click();
  await picker.getByLabel(MODEL).click();
  await picker.getByRole("button", { name: "Use 1 model" }).click();
  await sheet.getByRole("button", { name: "Create", exact: true }).click();
  await toast("Created “First upstream”");
  await sheet.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Test: First upstream" }).click();
  await toast("Channel “First upstream” works");
}

async function setPrice(): Promise<void> {
  await goTo("Settings");
  const section = page.getByLabel("Pricing", { exact: true });
  await section.getByLabel("Search models").fill(MODEL);
  await section.getByRole("button", { name: `Change price: ${MODEL}`, exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Input price").fill(String(PRICE.input));
  await dialog.getByLabel("Output price").fill(String(PRICE.output));
  await dialog.getByRole("button", { name: "OK" }).click();
  await page.getByText("2 unsaved changes").waitFor();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await toast("Saved");
  await goTo("Pricing");
  const row = page.getByRole("row").filter({ hasText: MODEL });
  await row.waitFor();
  expect(await row.innerText()).toContain("$3");
  expect(await row.innerText()).toContain("$9");
}

/** Creates a token and returns the key that the page shows. */
async function makeToken(): Promise<string> {
  await goTo("API tokens");
  await page.getByRole("link", { name: "New token" }).first().click();
  await page.getByRole("dialog", { name: "New token" }).getByLabel("Name").fill("My program");
  await page.getByRole("dialog", { name: "New token" }).getByRole("button", { name: "Create", exact: true }).click();
  const made = page.getByRole("dialog", { name: "Token created" });
  const key = await made.locator("code").first().innerText();
  await made.getByText(`${world.consoleUrl}/v1`, { exact: true }).waitFor();
  await made.getByRole("tab", { name: "Python" }).click();
  await made.getByText(`base_url="${world.consoleUrl}/v1"`, { exact: false }).waitFor();
  await made.getByRole("button", { name: "Copy key" }).click();
  await made.getByText("Copied").waitFor({ state: "attached" });
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(key);
  await made.getByRole("button", { name: "Done" }).click();
  await made.waitFor({ state: "detached" });
  return key;
}

async function callModel(key: string): Promise<void> {
  const response = await fetch(`${world.consoleUrl}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: MODEL, messages: [{ role: "user", content: "Does it work?" }] }),
    signal: AbortSignal.timeout(20_000),
  });
  expect(await response.text()).toContain("It works.");
  expect(response.status).toBe(200);
}

/** Cost of a call in dollars at the prices set above; cached tokens cost half. */
const CALL_DOLLARS =
  ((USAGE.inputTokens - USAGE.cachedTokens + USAGE.cachedTokens / 2) * PRICE.input +
    USAGE.outputTokens * PRICE.output) /
  1_000_000;

async function readBill(): Promise<void> {
  const row = page.getByRole("row").filter({ hasText: MODEL }).first();
  expect(await row.innerText()).toContain("First upstream");
  await page
    .getByRole("button", { name: `Details of ${MODEL}` })
    .first()
    .click();
  const bill = page.locator("section").filter({ has: page.getByRole("heading", { name: "Bill" }) });
  await bill.waitFor();
  const items = bill.locator("tbody tr");
  await items.first().waitFor();
  const tokens = await numbersIn(items.locator("td:nth-child(2)").allInnerTexts());
  const perMillion = await numbersIn(items.locator("td:nth-child(4)").allInnerTexts());
  const costs = await numbersIn(items.locator("td:nth-child(5)").allInnerTexts());
  const total = dollars(await bill.locator("tfoot td").last().innerText());
  expect(tokens).toEqual([USAGE.inputTokens - USAGE.cachedTokens, USAGE.cachedTokens, USAGE.outputTokens]);
  expect(perMillion).toEqual([PRICE.input, PRICE.input / 2, PRICE.output]);
  costs.forEach((cost, index) => expect(cost).toBeCloseTo(((tokens[index] ?? 0) * (perMillion[index] ?? 0)) / 1e6, 9));
  expect(costs.reduce((sum, cost) => sum + cost, 0)).toBeCloseTo(total, 9);
  expect(total).toBeCloseTo(CALL_DOLLARS, 9);
  await keepScreenshot(page, "bill-en-light-1440");
}

const balance = async (): Promise<number> =>
  dollars(await page.getByRole("heading", { name: "Balance" }).locator("xpath=following-sibling::p").innerText());

/** Creates a code worth five dollars and returns it. */
async function makeCode(): Promise<string> {
  await goTo("Redemption codes");
  await page.getByRole("link", { name: "New code" }).first().click();
  const sheet = page.getByRole("dialog", { name: "New code" });
  await sheet.getByLabel("Name").fill("Welcome");
  await sheet.getByLabel("Amount").fill("5");
  await sheet.getByRole("button", { name: "Create", exact: true }).click();
  const made = page.getByRole("dialog", { name: "1 code created" });
  const code = await made.getByLabel("Code").inputValue();
  await made.getByRole("button", { name: "Close" }).click();
  return code.trim();
}

it("reaches a paid call on an empty site through console pages only", async () => {
  await setUpAndSignIn();
  await page.getByRole("heading", { name: "Getting started" }).waitFor();
  await keepScreenshot(page, "first-steps-en-light-1440");
  await connectChannel();
  await setPrice();
  const key = await makeToken();

  await goTo("Dashboard");
  await page.getByText("All set. Run the code below").waitFor();
  await keepScreenshot(page, "first-call-en-light-1440");
  await callModel(key);
  // No interaction with the page: the first call appears by itself.
  await page.getByRole("heading", { name: "Getting started" }).waitFor({ state: "detached" });

  await goTo("Usage logs");
  await page.getByRole("row").filter({ hasText: MODEL }).waitFor();
  await readBill();
  await callModel(key);
  const calls = page.getByRole("row").filter({ hasText: "My program" });
  await expect
    .poll(
      async () => {
        await page.getByRole("button", { name: "Refresh" }).click();
        await settle(page);
        return calls.count();
      },
      { timeout: 5_000 },
    )
    .toBe(2);

  await goTo("Wallet");
  const spentSoFar = page.getByText("Spent so far").locator("xpath=following-sibling::dd");
  await expect.poll(async () => dollars(await spentSoFar.innerText())).toBeCloseTo(2 * CALL_DOLLARS, 9);
  const before = await balance();
  const code = await makeCode();
  await goTo("Wallet");
  await page.getByLabel("Code").fill(code);
  await page.getByRole("button", { name: "Redeem" }).click();
  await page.getByText("Redeemed, $5 added").waitFor();
  await expect.poll(balance).toBeCloseTo(before + 5, 6);
  await page.getByLabel("Code").fill(code);
  await page.getByRole("button", { name: "Redeem" }).click();
  await page.locator("[aria-invalid=true]").waitFor();
  expect(await balance()).toBeCloseTo(before + 5, 6);

  await goTo("Dashboard");
  await settle(page);
  const spent = page.getByText("Spend", { exact: true }).locator("xpath=following-sibling::dd");
  await expect.poll(async () => dollars(await spent.innerText())).toBeCloseTo(2 * CALL_DOLLARS, 9);
  const chart = page.getByRole("figure");
  await chart.getByRole("button", { name: MODEL }).waitFor();
  await keepScreenshot(page, "consumption-en-light-1440");
  expect(visitor.problems).toEqual([]);
});

it("shows data only to users who may see it", async () => {
  const stranger = await browser.newContext({ baseURL: world.consoleUrl });
  const strange = await stranger.newPage();
  const problems = recordProblem(strange);
  await strange.goto("/admin/channels");
  await strange.waitForURL("**/login?returnTo=*");
  expect(problems).toEqual([]);
  // The upstream's key is never returned to a browser, not even to the one that saved it.
  const responses = await page.evaluate<string>(
    `Promise.all(["/api/channel/", "/api/channel/1", "/api/option/"].map((path) => fetch(path).then((r) => r.text()))).then((all) => all.join(""))`,
  );
  expect(responses).toContain("First upstream");
  expect(responses).not.toContain(UPSTREAM_KEY);
});
