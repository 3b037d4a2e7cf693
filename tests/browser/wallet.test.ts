import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { ConsoleClient } from "../lib/console-client.ts";
import { DESK, openWindow, settle, type Visitor } from "./browser.ts";
import { barriersOf, type ConsoleWorld, startConsoleWorld } from "./console-world.ts";
import { openTill, payForm } from "./payments.ts";

const PROVIDER = "https://pay.example.com";

let at: ConsoleWorld;
let root: ConsoleClient;
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  at = await startConsoleWorld(async (world) => {
    root = await world.root();
    await openTill(root, world.consoleUrl, `${PROVIDER}/epay`);
  });
}, 240_000);
afterAll(() => at?.stop());
beforeEach(async () => {
  visitor = await openWindow(at.browser, at.world.consoleUrl, DESK, at.session);
  page = visitor.page;
  return () => visitor.context.close();
});

async function open(path: string): Promise<void> {
  await page.goto(path);
  await settle(page);
}
const balance = async (): Promise<number> => (await root.get<{ quota: number }>("/api/user/self")).quota;

it("a top-up leads to the provider with a form, and is there on the way back", async () => {
  const before = await balance();
  await open("/app/wallet");
  expect(await barriersOf(page)).toEqual([]);
  await page.getByLabel("Amount (dollars)").fill("20");
  await page.getByText("CN¥146.00").waitFor();
  await page.getByLabel("WeChat Pay").check();
  let posted: Record<string, string> = {};
  await page.route(`${PROVIDER}/**`, async (route) => {
    posted = Object.fromEntries(new URLSearchParams(route.request().postData() ?? ""));
    await route.fulfill({ contentType: "text/html", body: "<h1>The provider's page</h1>" });
  });
  await page.getByRole("button", { name: "Pay", exact: true }).click();
  await page.getByRole("heading", { name: "The provider's page" }).waitFor();
  expect(posted).toMatchObject({ pid: "1001", type: "wxpay", money: "146.00" });

  await open(`/app/wallet?out_trade_no=${posted["out_trade_no"] ?? ""}&trade_status=TRADE_SUCCESS`);
  await page.getByText("Waiting for the payment provider").waitFor();
  expect(await payForm(at.world.consoleUrl, posted)).toBe("success");
  await page.getByText("Paid. $20 has been added").waitFor();
  expect((await balance()) - before).toBe(10_000_000);
  expect(visitor.trouble).toEqual([]);
});

it("an amount below the least is refused before anybody is asked", async () => {
  await root.put("/api/option/", { key: "MinTopUp", value: "5" });
  await open("/app/wallet");
  await page.getByLabel("Amount (dollars)").fill("4");
  await page.getByRole("button", { name: "Pay", exact: true }).click();
  await page.getByText("The amount must not be less than $5").waitFor();
  await page.getByLabel("Amount (dollars)").fill("0.2");
  await page.getByLabel("Amount (dollars)").blur();
  expect(await page.getByLabel("Amount (dollars)").inputValue()).toBe("1");
  await root.put("/api/option/", { key: "MinTopUp", value: "1" });
});

it("a code says what it was worth, a gift as one", async () => {
  const [code = ""] = await root.post<string[]>("/api/redemption/", {
    name: "Gift",
    quota: 500_000,
    is_gift: true,
    max_uses: 3,
    count: 1,
  });
  await open("/app/wallet");
  await page.getByRole("button", { name: "Redeem", exact: true }).click();
  await page.getByText("Please enter a code").waitFor();
  await page.getByLabel("Code", { exact: true }).fill(code);
  await page.getByRole("button", { name: "Redeem", exact: true }).click();
  await page.getByText("Gift code redeemed, $1 added").waitFor();
});

it("the ledger shows each credit with its reason and the balance after it, the statement adds up", async () => {
  await open("/app/wallet?tab=ledger");
  await page.getByText("Topped up $20 online, paid 146.00").waitFor();
  expect(await barriersOf(page)).toEqual([]);
  await page.getByLabel("Type").selectOption("gift");
  await page.waitForURL("**kind=gift**");
  await page.getByText("First-run gift").waitFor();
  await page.getByRole("tab", { name: "Statement" }).click();
  await page.getByText("Closing balance").waitFor();
  expect(await barriersOf(page)).toEqual([]);
  const link = await page.getByRole("link", { name: "Download CSV" }).getAttribute("href");
  const file = await page.request.get(link ?? "");
  expect(file.headers()["content-disposition"]).toContain("statement-");
  expect(await file.text()).toContain("Closing balance");
  expect(visitor.trouble).toEqual([]);
});

it("an admin refunds an order once, finds it in the ledger, and the books agree", async () => {
  const before = await balance();
  await open("/admin/orders?status=paid");
  expect(await barriersOf(page)).toEqual([]);
  await page.getByRole("button", { name: /^More actions for USR/ }).click();
  await page.getByRole("menuitem", { name: "Refund" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Refund" }).click();
  await dialog.getByText("Please enter a reason").waitFor();
  await dialog.getByLabel("Reason of the refund").fill("bought by mistake");
  await dialog.getByRole("button", { name: "Refund" }).click();
  await page.getByText("Refunded, $20 taken back").waitFor();
  await page.getByText("No orders yet").or(page.getByText("Nothing matches these filters")).waitFor();
  expect(before - (await balance())).toBe(10_000_000);

  await open("/admin/ledger?reference=refund%3AUSR");
  await page.getByText(/^Order USR\w+ refunded$/).waitFor();
  expect(await barriersOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Check now" }).click();
  await page.getByText("All books agree").waitFor({ timeout: 60_000 });
  expect(visitor.trouble).toEqual([]);
});
