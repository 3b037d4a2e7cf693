import type { Browser, Locator, Page, Route } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ConsoleClient } from "../lib/console-client.ts";
import { type FakeUpstream, startFakeUpstream } from "../lib/fake-upstream/fake-upstream.ts";
import { openShop } from "../lib/shop.ts";
import { testBacking } from "../lib/test-backing.ts";
import { startWorld, type World } from "../lib/world.ts";
import { DESK, keepScreenshot, openWindow, type SessionState, settle, signIn, startBrowser } from "./browser.ts";

let world: World;
let upstream: FakeUpstream;
let browser: Browser;
let root: ConsoleClient;
let session: SessionState;
let page: Page;

beforeAll(async () => {
  upstream = await startFakeUpstream();
  [world, browser] = await Promise.all([startWorld({ backing: testBacking(), withConsole: true }), startBrowser()]);
  ({ root } = await openShop(world, upstream.url));
  const first = await openWindow(browser, world.consoleUrl);
  await first.page.goto("/login");
  await signIn(first.page);
  await first.page.waitForURL("**/app/tokens");
  session = await first.context.storageState();
  await first.context.close();
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await world?.stop();
  await upstream?.stop();
});
beforeEach(async () => {
  ({ page } = await openWindow(browser, world.consoleUrl, DESK, session));
  return () => page.context().close();
});

const alert = (): Locator => page.getByRole("alert");
const question = (): Locator => page.getByRole("alertdialog", { name: "Discard unsaved changes?" });
const toast = (): Locator => page.locator("[data-sonner-toast]");

describe("a call that is refused", () => {
  it("sends people whose session ended to sign-in, and back to where they were", async () => {
    await page.goto("/app/logs/api-usage?type=1&range=30d");
    await settle(page);
    await page.context().clearCookies();
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.waitForURL(/\/login\?expired=true/);
    await page.getByText("your session has expired").waitFor();
    await keepScreenshot(page, "expired-en-light-1440");
    await signIn(page);
    await page.waitForURL(/\/app\/logs\/api-usage\?/);
    expect(page.url()).toMatch(/type=1/);
    expect(page.url()).toMatch(/range=30d/);
    await settle(page);
    expect(await page.getByLabel("Time range").inputValue()).toBe("30d");
  });

  it("says when a sign-in may be tried again after too many wrong ones", async () => {
    await root.post("/api/user/", { username: "forgetful", password: "turnpike-user-1", display_name: "forgetful" });
    await root.put("/api/option/", { key: "LoginFailureLimit", value: "2" });
    await page.context().clearCookies();
    await page.goto("/login");
    await page.evaluate("localStorage.removeItem('user')");
    await page.goto("/login");
    const messages: string[] = [];
    for (const password of ["wrong-one-1", "wrong-one-2", "wrong-one-3"]) {
      const answer = page.waitForResponse("**/api/user/login");
      await signIn(page, { username: "forgetful", password });
      await answer;
      await page.getByRole("button", { name: "Sign in", disabled: false }).waitFor();
      messages.push(await alert().innerText());
    }
    await root.put("/api/option/", { key: "LoginFailureLimit", value: "10" });
    expect(messages[0]).not.toMatch(/\d/);
    expect(messages[2]).toMatch(/\d+ (seconds|minutes)/);
  });

  it("shows the request id of a fault, on the page and in a toast, and tries again when asked", async () => {
    const fault = (route: Route): Promise<void> =>
      route.fulfill({
        status: 500,
        headers: { "x-request-id": "01FAULTOFTHESERVER" },
        json: { success: false, message: "服务器内部错误", code: "internal" },
      });
    await page.route("**/api/log/?**", fault);
    await page.goto("/app/logs/api-usage");
    await alert().waitFor();
    expect(await alert().innerText()).toContain("01FAULTOFTHESERVER");
    await keepScreenshot(page, "fault-en-light-1440");
    await page.unroute("**/api/log/?**");
    await alert().getByRole("button", { name: "Try again" }).click();
    await page.getByRole("table").waitFor();

    await page.route("**/api/user/topup", fault);
    await page.goto("/app/wallet");
    await page.getByLabel("Code").fill("some-code");
    await page.getByRole("button", { name: "Redeem" }).click();
    await toast().filter({ hasText: "01FAULTOFTHESERVER" }).waitFor();
  });
});

describe("a part of the system that is down", () => {
  it("is named on the pages that need it, while the others work and it can be tried again", async () => {
    await world.suspend("billing");
    await page.goto("/app/tokens");
    await alert().waitFor();
    expect(await alert().innerText()).toMatch(/Request ID/);
    await page.getByRole("link", { name: "Channels" }).click();
    await page.getByRole("row").filter({ hasText: "anthropic" }).waitFor();
    await world.resume("billing");
    await page.getByRole("link", { name: "API tokens" }).click();
    await page.getByRole("button", { name: "Try again" }).or(page.getByText("No tokens yet")).first().waitFor();
    const again = page.getByRole("button", { name: "Try again" });
    if (await again.isVisible()) await again.click();
    await page.getByText("No tokens yet").waitFor();
  });

  it("shows a bar while the gateway is away, keeps what was read, and heals by itself", async () => {
    await page.goto("/admin/channels");
    const row = page.getByRole("row").filter({ hasText: "anthropic" });
    await row.waitFor();
    const bar = page.getByText("Unable to connect to the server. Trying again…");
    await world.suspend("gateway");
    await page.getByLabel("Rows per page").selectOption("50");
    await bar.waitFor();
    await keepScreenshot(page, "unreachable-en-light-1440");
    expect(await row.isVisible()).toBe(true);
    await world.resume("gateway");
    await bar.waitFor({ state: "detached" });
    await settle(page);
    await row.waitFor();
    expect(await alert().count()).toBe(0);
  });
});

describe("an editor", () => {
  it("asks before unsaved changes are left, whichever way", async () => {
    await page.goto("/admin/channels");
    await page.getByRole("button", { name: "Edit: anthropic" }).click();
    const sheet = page.getByRole("dialog", { name: "Edit channel" });
    await sheet.getByLabel("Name").fill("renamed");

    await page.keyboard.press("Escape");
    await question().getByRole("button", { name: "Cancel" }).click();
    await question().waitFor({ state: "detached" });
    expect(await sheet.getByLabel("Name").inputValue()).toBe("renamed");

    const leaving = page.waitForEvent("dialog");
    const reload = page.evaluate("location.reload()");
    const browserQuestion = await leaving;
    expect(browserQuestion.type()).toBe("beforeunload");
    await browserQuestion.dismiss();
    await reload;

    await page.goBack();
    await keepScreenshot(page, "unsaved-en-light-1440");
    await question().getByRole("button", { name: "Discard changes" }).click();
    await sheet.waitFor({ state: "detached" });
    await page.getByRole("row").filter({ hasText: "anthropic" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/admin/channels");
  });

  it("closes without a question when there is nothing to lose", async () => {
    await page.goto("/admin/channels");
    await page.getByRole("button", { name: "Edit: anthropic" }).click();
    const sheet = page.getByRole("dialog", { name: "Edit channel" });
    await sheet.getByLabel("Name").waitFor();
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Edit: anthropic" }).click();
    await sheet.getByLabel("Weight").fill("7");
    await sheet.getByRole("button", { name: "Save" }).click();
    await sheet.waitFor({ state: "detached" });
    expect(await question().count()).toBe(0);
    await expect.poll(() => page.getByLabel("Weight of anthropic").inputValue()).toBe("7");
  });
});

type Form = {
  readonly name: string;
  readonly path: string;
  readonly call: string;
  readonly submit: string;
  fill(): Promise<void>;
};

const FORMS: readonly Form[] = [
  {
    name: "token",
    path: "/app/tokens/new",
    call: "/api/token/",
    submit: "Create",
    fill: () => page.getByRole("dialog").getByLabel("Name").fill("only one"),
  },
  {
    name: "channel",
    path: "/admin/channels/new",
    call: "/api/channel/",
    submit: "Create",
    async fill() {
      const sheet = page.getByRole("dialog");
      await sheet.getByLabel("Name").fill("only one");
      await sheet.getByLabel("Key").fill("sk-only-one");
      await sheet.getByRole("button", { name: "Add the usual models" }).click();
    },
  },
  {
    name: "code",
    path: "/admin/coupons/new",
    call: "/api/redemption/",
    submit: "Create",
    fill: () => page.getByRole("dialog").getByLabel("Name").fill("only one"),
  },
  {
    name: "redeem box",
    path: "/app/wallet",
    call: "/api/user/topup",
    submit: "Redeem",
    fill: () => page.getByLabel("Code").fill("no-such-code"),
  },
];

it.each(FORMS)(
  "the form of the $name sends once, however often it is submitted",
  async ({ path, call, submit, fill }) => {
    await page.goto(path);
    const button = page.getByRole("button", { name: submit });
    await button.waitFor();
    await fill();
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
    let sent = 0;
    await page.route(
      (url) => url.pathname === call,
      async (route) => {
        if (route.request().method() !== "POST") return route.continue();
        sent += 1;
        await released;
        await route.continue();
      },
    );
    const answered = page.waitForResponse(
      (response) => response.request().method() === "POST" && response.url().endsWith(call),
    );
    // Faster than any hand, then again while the answer is on its way.
    await button.evaluate((node: { click(): void }) => {
      node.click();
      node.click();
    });
    await expect.poll(() => button.isDisabled()).toBe(true);
    await page.keyboard.press("Enter");
    release(undefined);
    await answered;
    await toast()
      .or(page.getByRole("dialog", { name: "created" }))
      .first()
      .waitFor();
    expect(sent).toBe(1);
  },
);
