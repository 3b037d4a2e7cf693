import type { Locator, Route } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { ConsoleClient } from "../lib/console-client.ts";
import { openTestSite } from "../lib/test-site.ts";
import { chooseOption, keepScreenshot, settle, signIn } from "./browser.ts";
import { useConsole } from "./console-world.ts";

let root: ConsoleClient;
const at = useConsole(async (world, upstream) => {
  ({ root } = await openTestSite(world, upstream.url));
});

const alert = (): Locator => at.page.getByRole("alert");
const question = (): Locator => at.page.getByRole("alertdialog", { name: "Discard unsaved changes?" });
const toast = (): Locator => at.page.locator("[data-sonner-toast]");

describe("refused call", () => {
  it("sends users with an ended session to sign-in, and back to the page they were on", async () => {
    await at.page.goto("/app/logs/api-usage?type=1&range=30d");
    await settle(at.page);
    await at.page.context().clearCookies();
    await at.page.getByRole("button", { name: "Refresh" }).click();
    await at.page.waitForURL(/\/login\?expired=true/);
    await at.page.getByText("your session has expired").waitFor();
    await keepScreenshot(at.page, "expired-en-light-1440");
    await signIn(at.page);
    await at.page.waitForURL(/\/app\/logs\/api-usage\?/);
    expect(at.page.url()).toMatch(/type=1/);
    expect(at.page.url()).toMatch(/range=30d/);
    await settle(at.page);
    expect(await at.page.getByLabel("Time range").textContent()).toBe("Last 30 days");
  });

  it("shows when sign-in may be retried after too many failures", async () => {
    await root.post("/api/user/", { username: "forgetful", password: "turnpike-user-1", display_name: "forgetful" });
    await root.put("/api/option/", { key: "LoginFailureLimit", value: "2" });
    await at.page.context().clearCookies();
    await at.page.goto("/login");
    await at.page.evaluate("localStorage.removeItem('user')");
    await at.page.goto("/login");
    const messages: string[] = [];
    for (const password of ["wrong-one-1", "wrong-one-2", "wrong-one-3"]) {
      const response = at.page.waitForResponse("**/api/user/login");
      await signIn(at.page, { username: "forgetful", password });
      await response;
      await at.page.getByRole("button", { name: "Sign in", disabled: false }).waitFor();
      messages.push(await alert().innerText());
    }
    await root.put("/api/option/", { key: "LoginFailureLimit", value: "10" });
    expect(messages[0]).not.toMatch(/\d/);
    expect(messages[2]).toMatch(/\d+ (seconds|minutes)/);
  });

  it("shows the request id of an error on the page and in a toast, and retries on request", async () => {
    const fault = (route: Route): Promise<void> =>
      route.fulfill({
        status: 500,
        headers: { "x-request-id": "01FAULTOFTHESERVER" },
        json: { success: false, message: "服务器内部错误", code: "internal" },
      });
    await at.page.route("**/api/log/?**", fault);
    await at.page.goto("/app/logs/api-usage");
    await alert().waitFor();
    expect(await alert().innerText()).toContain("01FAULTOFTHESERVER");
    await keepScreenshot(at.page, "fault-en-light-1440");
    await at.page.unroute("**/api/log/?**");
    await alert().getByRole("button", { name: "Try again" }).click();
    await at.page.getByRole("table").waitFor();

    await at.page.route("**/api/user/topup", fault);
    await at.page.goto("/app/wallet");
    await at.page.getByLabel("Code").fill("some-code");
    await at.page.getByRole("button", { name: "Redeem" }).click();
    await toast().filter({ hasText: "01FAULTOFTHESERVER" }).waitFor();
  });
});

describe("unavailable service", () => {
  it("reports the failure on the pages that need it, and keeps the other pages working with a retry", async () => {
    await at.world.suspend("billing");
    await at.page.goto("/app/tokens");
    await alert().waitFor();
    expect(await alert().innerText()).toMatch(/Request ID/);
    await at.page.getByRole("link", { name: "Channels" }).click();
    await at.page.getByRole("row").filter({ hasText: "anthropic" }).waitFor();
    await at.world.resume("billing");
    await at.page.getByRole("link", { name: "API tokens" }).click();
    await at.page.getByRole("button", { name: "Try again" }).or(at.page.getByText("No tokens yet")).first().waitFor();
    const again = at.page.getByRole("button", { name: "Try again" });
    if (await again.isVisible()) await again.click();
    await at.page.getByText("No tokens yet").waitFor();
  });

  it("shows a banner while the gateway is unavailable, keeps loaded data, and recovers by itself", async () => {
    await at.page.goto("/admin/channels");
    const row = at.page.getByRole("row").filter({ hasText: "anthropic" });
    await row.waitFor();
    const bar = at.page.getByText("Unable to connect to the server. Trying again…");
    await at.world.suspend("gateway");
    await chooseOption(at.page, "Rows per page", "50 per page");
    await bar.waitFor();
    await keepScreenshot(at.page, "unreachable-en-light-1440");
    expect(await row.isVisible()).toBe(true);
    await at.world.resume("gateway");
    await bar.waitFor({ state: "detached" });
    await settle(at.page);
    await row.waitFor();
    expect(await alert().count()).toBe(0);
  });
});

describe("editor", () => {
  it("requests confirmation before unsaved changes are lost, on every way out", async () => {
    await at.page.goto("/admin/channels");
    await at.page.getByRole("button", { name: "Edit: anthropic" }).click();
    const sheet = at.page.getByRole("dialog", { name: "Edit channel" });
    await sheet.getByLabel("Name").fill("renamed");

    await at.page.keyboard.press("Escape");
    await question().getByRole("button", { name: "Cancel" }).click();
    await question().waitFor({ state: "detached" });
    expect(await sheet.getByLabel("Name").inputValue()).toBe("renamed");

    const leaving = at.page.waitForEvent("dialog");
    const reload = at.page.evaluate("location.reload()");
    const browserQuestion = await leaving;
    expect(browserQuestion.type()).toBe("beforeunload");
    await browserQuestion.dismiss();
    await reload;

    await at.page.goBack();
    await keepScreenshot(at.page, "unsaved-en-light-1440");
    await question().getByRole("button", { name: "Discard changes" }).click();
    await sheet.waitFor({ state: "detached" });
    await at.page.getByRole("row").filter({ hasText: "anthropic" }).waitFor();
    expect(new URL(at.page.url()).pathname).toBe("/admin/channels");
  });

  it("closes without confirmation when nothing changed", async () => {
    await at.page.goto("/admin/channels");
    await at.page.getByRole("button", { name: "Edit: anthropic" }).click();
    const sheet = at.page.getByRole("dialog", { name: "Edit channel" });
    await sheet.getByLabel("Name").waitFor();
    await at.page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    await at.page.getByRole("button", { name: "Edit: anthropic" }).click();
    await sheet.getByLabel("Weight").fill("7");
    await sheet.getByRole("button", { name: "Save", exact: true }).click();
    await sheet.waitFor({ state: "detached" });
    expect(await question().count()).toBe(0);
    await expect.poll(() => at.page.getByLabel("Weight of anthropic").inputValue()).toBe("7");
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
    fill: () => at.page.getByRole("dialog").getByLabel("Name").fill("only one"),
  },
  {
    name: "channel",
    path: "/admin/channels/new",
    call: "/api/channel/",
    submit: "Create",
    async fill() {
      const sheet = at.page.getByRole("dialog");
      await sheet.getByLabel("Name").fill("only one");
      await sheet.getByLabel("Key").fill("sk-only-one");
      await sheet.getByRole("button", { name: "Add common models" }).click();
    },
  },
  {
    name: "code",
    path: "/admin/coupons/new",
    call: "/api/redemption/",
    submit: "Create",
    fill: () => at.page.getByRole("dialog").getByLabel("Name").fill("only one"),
  },
  {
    name: "redeem box",
    path: "/app/wallet",
    call: "/api/user/topup",
    submit: "Redeem",
    fill: () => at.page.getByLabel("Code").fill("no-such-code"),
  },
];

it.each(FORMS)("sends the form of $name once, however often it is submitted", async ({ path, call, submit, fill }) => {
  await at.page.goto(path);
  const button = at.page.getByRole("button", { name: submit, exact: true });
  await button.waitFor();
  await fill();
  const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
  let sent = 0;
  await at.page.route(
    (url) => url.pathname === call,
    async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      sent += 1;
      await released;
      await route.continue();
    },
  );
  const served = at.page.waitForResponse(
    (response) => response.request().method() === "POST" && response.url().endsWith(call),
  );
  // Faster than any user, then again while the response is pending.
  await button.evaluate((node: { click(): void }) => {
    node.click();
    node.click();
  });
  await expect.poll(() => button.isDisabled()).toBe(true);
  await at.page.keyboard.press("Enter");
  release(undefined);
  await served;
  await toast()
    .or(at.page.getByRole("dialog", { name: "created" }))
    .or(at.page.locator("[aria-invalid=true]"))
    .first()
    .waitFor();
  expect(sent).toBe(1);
});
