import { expect, it } from "vitest";
import type { ConsoleClient } from "../lib/console-client.ts";
import { chooseOption, keepScreenshot } from "./browser.ts";
import { findViolations } from "./accessibility.ts";
import { useConsole } from "./console-world.ts";
import { openTill, payForm } from "./payments.ts";

const PROVIDER = "https://pay.example.com";

let root: ConsoleClient;

const at = useConsole(async (world) => {
  root = await world.root();
  await openTill(root, world.consoleUrl, `${PROVIDER}/epay`);
});

const balance = async (): Promise<number> => (await root.get<{ quota: number }>("/api/user/self")).quota;

it("opens the provider's page with a form for a top-up, and shows the top-up on return", async () => {
  const before = await balance();
  await at.open("/app/wallet");
  expect(await findViolations(at.page, "all")).toEqual([]);
  await at.page.getByLabel("Amount (dollars)").fill("20");
  await at.page.getByText("CN¥146.00").waitFor();
  await at.page.getByLabel("WeChat Pay").check();
  let posted: Record<string, string> = {};
  await at.page.route(`${PROVIDER}/**`, async (route) => {
    posted = Object.fromEntries(new URLSearchParams(route.request().postData() ?? ""));
    await route.fulfill({ contentType: "text/html", body: "<h1>The provider's page</h1>" });
  });
  await at.page.getByRole("button", { name: "Pay", exact: true }).click();
  await at.page.getByRole("heading", { name: "The provider's page" }).waitFor();
  expect(posted).toMatchObject({ pid: "1001", type: "wxpay", money: "146.00" });

  await at.open(`/app/wallet?out_trade_no=${posted["out_trade_no"] ?? ""}&trade_status=TRADE_SUCCESS`);
  await at.page.getByText("Waiting for the payment provider").waitFor();
  expect(await payForm(at.world.consoleUrl, posted)).toBe("success");
  await at.page.getByText("Paid. $20 has been added").waitFor();
  expect((await balance()) - before).toBe(10_000_000);
  expect(at.visitor.problems).toEqual([]);
});

it("refuses an amount below the minimum before any request", async () => {
  await root.put("/api/option/", { key: "MinTopUp", value: "5" });
  await at.open("/app/wallet");
  await at.page.getByLabel("Amount (dollars)").fill("4");
  await at.page.getByRole("button", { name: "Pay", exact: true }).click();
  await at.page.getByText("The amount must not be less than $5").waitFor();
  await at.page.getByLabel("Amount (dollars)").fill("0.2");
  await at.page.getByLabel("Amount (dollars)").blur();
  expect(await at.page.getByLabel("Amount (dollars)").inputValue()).toBe("1");
  await root.put("/api/option/", { key: "MinTopUp", value: "1" });
});

it("shows the value of a redeemed code, and marks a gift", async () => {
  const [code = ""] = await root.post<string[]>("/api/redemption/", {
    name: "Gift",
    quota: 500_000,
    is_gift: true,
    max_uses: 3,
    count: 1,
  });
  await at.open("/app/wallet");
  await at.page.getByRole("button", { name: "Redeem", exact: true }).click();
  await at.page.getByText("Please enter a code").waitFor();
  await at.page.getByLabel("Code", { exact: true }).fill("no such code");
  await at.page.getByRole("button", { name: "Redeem", exact: true }).click();
  await at.page.getByRole("alert").filter({ hasText: "The code" }).waitFor();
  await at.page.getByLabel("Code", { exact: true }).fill(code);
  await at.page.getByRole("button", { name: "Redeem", exact: true }).click();
  await at.page.getByText("Gift code redeemed, $1 added").waitFor();
});

it("shows each credit with its reason and the balance after it, and a statement that adds up", async () => {
  await at.open("/app/wallet?tab=ledger");
  await at.page.getByText("Topped up $20 online, paid 146.00").waitFor();
  expect(await findViolations(at.page, "all")).toEqual([]);
  await chooseOption(at.page, "Type", "Gift");
  await at.page.waitForURL("**kind=gift**");
  await at.page.getByText("First-run gift").waitFor();
  await at.page.getByRole("tab", { name: "Statement" }).click();
  await at.page.getByText("Closing balance").waitFor();
  expect(await findViolations(at.page, "all")).toEqual([]);
  const link = await at.page.getByRole("link", { name: "Download CSV" }).getAttribute("href");
  const file = await at.page.request.get(link ?? "");
  expect(file.headers()["content-disposition"]).toContain("statement-");
  expect(await file.text()).toContain("Closing balance");
  expect(at.visitor.problems).toEqual([]);
});

it("refunds an order once, shows the refund in the ledger, and passes the ledger check", async () => {
  const before = await balance();
  await at.open("/admin/orders?status=paid");
  expect(await findViolations(at.page, "all")).toEqual([]);
  await at.page.getByRole("button", { name: /^More actions for USR/ }).click();
  await at.page.getByRole("menuitem", { name: "Refund" }).click();
  const dialog = at.page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Refund" }).click();
  await dialog.getByText("Please enter a reason").waitFor();
  await dialog.getByLabel("Reason for the refund").fill("bought by mistake");
  await dialog.getByRole("button", { name: "Refund" }).click();
  await at.page.getByText("Refunded, $20 deducted").waitFor();
  await at.page.getByText("No orders yet").or(at.page.getByText("Nothing matches these filters")).waitFor();
  expect(before - (await balance())).toBe(10_000_000);

  await at.open("/admin/ledger?reference=refund%3AUSR");
  await at.page.getByText(/^Order USR\w+ refunded$/).waitFor();
  expect(await findViolations(at.page, "all")).toEqual([]);
  await at.page.getByRole("button", { name: "Check now" }).click();
  await at.page.getByText("Ledger is consistent").waitFor({ timeout: 60_000 });
  expect(at.visitor.problems).toEqual([]);
});

/** Three orders of $10; 80.00 was paid for two of them. */
async function makeOddOrders(): Promise<void> {
  for (const money of ["80.00", "80.00", undefined]) {
    const { data } = await root.call<Record<string, string>>("POST", "/api/user/pay", {
      body: { amount: 10, payment_method: "zfb" },
    });
    if (money !== undefined) await payForm(at.world.consoleUrl, data, { money });
  }
}

it("shows what was paid and expected for an order, and credits, returns or settles it by hand", async () => {
  await makeOddOrders();
  const before = await balance();
  await at.open("/admin/orders?status=mismatched");
  const rows = at.page.locator("tbody tr").filter({ hasText: "Amount differs" });
  await expect.poll(() => rows.count()).toBe(2);
  await rows.first().getByText("Paid CN¥80.00").waitFor();
  await rows.first().getByText("Amount differs").click();
  await at.page.getByText("Received, not credited as ordered").waitFor();
  expect(await findViolations(at.page, "all")).toEqual([]);
  for (const colorScheme of ["light", "dark"] as const) {
    await at.page.emulateMedia({ colorScheme });
    await keepScreenshot(at.page, `orders-mismatched-en-${colorScheme}`);
  }
  await at.page.emulateMedia({ colorScheme: "light" });
  const choose = async (action: string) => {
    await at.page
      .getByRole("button", { name: /^More actions for USR/ })
      .first()
      .click();
    await at.page.getByRole("menuitem", { name: action }).click();
    return at.page.getByRole("dialog");
  };
  const crediting = await choose("Credit");
  await crediting.getByText("was to pay CN¥73.00 and paid CN¥80.00").waitFor();
  await keepScreenshot(at.page, "orders-credit-en-light");
  await crediting.getByLabel("Reason").fill("customer asked");
  await crediting.getByRole("button", { name: "Credit" }).click();
  await at.page.getByText("$10.958904 credited").waitFor();
  expect((await balance()) - before).toBe(5_479_452);
  await expect.poll(() => rows.count()).toBe(1);
  const returning = await choose("Return payment");
  await returning.getByLabel("Reason").fill("paid too much");
  await returning.getByRole("button", { name: "Return payment" }).click();
  await at.page.getByText("The order is marked as returned").waitFor();

  await at.open("/admin/orders?status=pending");
  const settling = await choose("Credit");
  await settling.getByLabel("Reason").fill("the notification was lost");
  await settling.getByRole("button", { name: "Credit" }).click();
  await at.page.getByText("$10 credited").waitFor();
  expect((await balance()) - before).toBe(5_479_452 + 5_000_000);
  expect(at.visitor.problems).toEqual([]);
});
