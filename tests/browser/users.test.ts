import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { testBacking } from "../lib/backing/test-backing.ts";
import { startWorld, type World } from "../lib/world.ts";
import { getCode } from "./authenticator.ts";
import { findViolations } from "./accessibility.ts";
import { DESK, keepScreenshot, openWindow, settle, signIn, startBrowser, type Visitor } from "./browser.ts";

const ADA = { username: "ada", password: "given-by-root-1" } as const;
const ADAS_OWN = "chosen-by-ada-1";

let world: World;
let browser: Browser;
let root: Visitor;
let ada: Visitor;

beforeAll(async () => {
  [world, browser] = await Promise.all([startWorld({ backing: testBacking() }), startBrowser()]);
  root = await openWindow(browser, world.consoleUrl);
  // Passkeys require a host name for the site, not an IP address.
  ada = await openWindow(browser, world.consoleUrl.replace("127.0.0.1", "localhost"));
}, 180_000);
afterEach(async ({ task }) => {
  if (task.result?.state !== "fail") return;
  await keepScreenshot(root.page, `failed-root-${task.name.slice(0, 30)}`);
  await keepScreenshot(ada.page, `failed-ada-${task.name.slice(0, 30)}`);
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

const toast = (page: Page, text: string | RegExp) => page.getByRole("listitem").filter({ hasText: text }).waitFor();
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name }).waitFor();
const row = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });

async function rowAction(page: Page, name: string, action: string): Promise<void> {
  await row(page, name)
    .getByRole("button", { name: `More actions for ${name}` })
    .click();
  await page.getByRole("menuitem", { name: action }).click();
}

async function signInAnew(page: Page, password: string): Promise<void> {
  await page.goto("/login");
  await signIn(page, { username: ADA.username, password });
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Account menu/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL("**/login");
}

describe("user administration", () => {
  it("creates a user, adds quota and deducts quota", async () => {
    const { page } = root;
    await page.goto("/login");
    await signIn(page);
    await page.waitForURL("**/app/tokens");
    await page.goto("/admin/users");
    await page.getByRole("link", { name: "New user" }).first().click();
    const sheet = page.getByRole("dialog", { name: "New user" });
    await sheet.getByLabel("User name").fill(ADA.username);
    await sheet.getByLabel("Password").fill("short");
    await sheet.getByRole("button", { name: "Create", exact: true }).click();
    await sheet.getByText("Passwords have at least 8 characters").waitFor();
    await sheet.getByLabel("Password").fill(ADA.password);
    await sheet.getByRole("button", { name: "Create", exact: true }).click();
    await toast(page, "User created");

    for (const [amount, action, balance] of [
      ["10", "Add $10", "$10"],
      ["-2.5", "Deduct $2.50", "$7.5"],
    ] as const) {
      await row(page, ADA.username)
        .getByRole("button", { name: /Adjust quota/ })
        .click();
      const dialog = page.getByRole("dialog", { name: /Adjust the quota/ });
      await dialog.getByLabel("Amount to add").fill(amount);
      await dialog.getByLabel("Note").fill("first order");
      await dialog.getByRole("button", { name: action }).click();
      await dialog.waitFor({ state: "detached" });
      await row(page, ADA.username).getByText(balance).first().waitFor();
    }
  });

  it("shows a taken name at its field, and returns the focus to what opened the editor", async () => {
    const { page } = root;
    const opener = page.getByRole("link", { name: "New user" }).first();
    await opener.focus();
    await page.keyboard.press("Enter");
    const sheet = page.getByRole("dialog", { name: "New user" });
    await sheet.getByLabel("User name").fill(ADA.username);
    await sheet.getByLabel("Password").first().fill("another-secret-1");
    await sheet.getByRole("button", { name: "Create", exact: true }).click();
    await expect.poll(() => sheet.getByLabel("User name").getAttribute("aria-invalid")).toBe("true");
    expect(await page.locator("[data-sonner-toast][data-type=error]").count()).toBe(0);
    await sheet.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("alertdialog").getByRole("button").last().click();
    await sheet.waitFor({ state: "detached" });
    await expect.poll(() => opener.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
    await row(page, ADA.username)
      .getByRole("button", { name: /Adjust quota/ })
      .click();
    await page.getByRole("dialog", { name: /Adjust the quota/ }).waitFor();
    await page.keyboard.press("Escape");
    const quota = row(page, ADA.username).getByRole("button", { name: /Adjust quota/ });
    await expect.poll(() => quota.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
  });

  it("shows everything about a customer on one page", async () => {
    const { page } = root;
    await page.goto("/admin/users");
    await page.getByRole("link", { name: ADA.username, exact: true }).click();
    await page.getByRole("heading", { level: 1, name: ADA.username }).waitFor();
    await page.getByText(/added \$10: first order/).waitFor();
    for (const title of ["Spend by model", "Last errors", "API tokens", "Credits and notes"])
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await page.getByRole("heading", { name: title }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.goto("/admin/users");
    await settle(page);
  });

  it("offers no action on the super administrator", async () => {
    const { page } = root;
    await row(page, "Root User").getByRole("button", { name: "More actions for root" }).click();
    const offered = await page.getByRole("menuitem").allTextContents();
    await page.keyboard.press("Escape");
    expect(offered.filter((name) => /Ban|Deregister|ordinary/.test(name))).toEqual([]);
  });

  it("sends messages to users and shows who read them", async () => {
    const { page } = root;
    await page.goto("/admin/messages/new");
    const sheet = page.getByRole("dialog", { name: "New message" });
    await sheet.getByLabel("Title").fill("Welcome");
    await sheet
      .getByRole("textbox", { name: "Content" })
      .fill("# Hello\n\nRead the **rules**.\n\n<img src=x onerror=alert(1)>");
    await sheet.getByRole("tab", { name: "Preview" }).click();
    await sheet.locator("strong", { hasText: "rules" }).waitFor();
    expect(await sheet.locator("img").count()).toBe(0);
    await sheet.getByRole("button", { name: "Send" }).click();
    await sheet.getByText("Please choose at least one recipient").waitFor();
    await sheet.getByPlaceholder("ID, user name").fill("ada");
    await sheet.getByPlaceholder("ID, user name").press("Enter");
    await sheet.getByRole("checkbox", { name: /^ada/ }).check();
    await sheet.getByRole("button", { name: "Send" }).click();
    await toast(page, "Sent to 1 user");
    await row(page, "Welcome").getByText("0 / 1").waitFor();
  });
});

describe("account of a user", () => {
  it("warns a user whose password another user chose, and changes it", async () => {
    const { page } = ada;
    await signInAnew(page, ADA.password);
    const warning = page.getByRole("alertdialog", { name: "You are using a default password!" });
    await warning.waitFor();
    await keepScreenshot(page, "password-warning-en-light-1440");
    await warning.getByRole("button", { name: "Change it now" }).click();
    await page.waitForURL("**/app/me?tab=security");
    await page.getByLabel("Current password").fill("not-this-one-1");
    await page.getByLabel("New password", { exact: true }).fill(ADAS_OWN);
    await page.getByLabel("New password again").fill("different-1");
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByText("The two passwords differ").waitFor();
    await page.getByLabel("New password again").fill(ADAS_OWN);
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByRole("alert").filter({ hasText: "The current password is wrong" }).waitFor();
    await page.getByLabel("Current password").fill(ADA.password);
    await page.getByRole("button", { name: "Change password" }).click();
    await toast(page, "Password changed");
  });

  it("shows a message behind the bell and marks it as read when opened", async () => {
    const { page } = ada;
    await page.getByRole("link", { name: "Inbox, 1 unread message" }).click();
    await heading(page, "Inbox");
    await page.getByRole("link", { name: /Welcome/ }).click();
    await heading(page, "Welcome");
    await page.locator("strong", { hasText: "rules" }).waitFor();
    expect(await page.locator("article img").count()).toBe(0);
    await page.getByRole("banner").getByRole("link", { name: "Inbox", exact: true }).waitFor();
    await row(root.page, "Welcome")
      .getByRole("button", { name: /^Recipients/ })
      .click();
    await root.page.getByRole("dialog", { name: "Recipients" }).getByText("100%").waitFor();
    await root.page.keyboard.press("Escape");
  });

  it("signs in with a second factor once it is enabled, and with a recovery code", async () => {
    const { page } = ada;
    await page.goto("/app/me?tab=security");
    await page.getByRole("button", { name: "Turn on" }).click();
    const setup = page.getByRole("dialog", { name: "Turn on two-factor sign-in" });
    await setup.getByRole("img", { name: "QR code for the authenticator app" }).waitFor();
    await keepScreenshot(page, "two-factor-setup-en-light-1440");
    const secret = (await setup.locator("code").textContent()) ?? "";
    await setup.getByLabel("Two-factor code").fill("000000");
    await setup.getByRole("button", { name: "Turn on" }).click();
    await setup.getByRole("alert").waitFor();
    await setup.getByLabel("Two-factor code").fill(getCode(secret));
    await setup.getByRole("button", { name: "Turn on" }).click();
    const codes = page.getByRole("dialog", { name: "Recovery codes" });
    await codes.getByRole("listitem").first().waitFor();
    const recoveryCodes = await codes.getByRole("listitem").allTextContents();
    expect(recoveryCodes).toHaveLength(10);
    await codes.getByRole("button", { name: "I have saved them" }).click();
    await signOut(page);

    await signIn(page, { username: ADA.username, password: ADAS_OWN });
    // The code that enabled it is used up; the next code is already accepted.
    await page.getByLabel("Two-factor code").fill(getCode(secret, 1));
    await page.getByRole("button", { name: "Continue", exact: true }).click();
    await page.waitForURL("**/app/tokens");
    await signOut(page);

    await signIn(page, { username: ADA.username, password: ADAS_OWN });
    await page.getByLabel("Two-factor code").fill(recoveryCodes[0] ?? "");
    await page.getByRole("button", { name: "Continue", exact: true }).click();
    await page.waitForURL("**/app/tokens");
    await page.goto("/app/me?tab=security");
    await page.getByText("9 recovery codes left").waitFor();
  });

  it("signs in with a passkey", async () => {
    const { page, context } = ada;
    const authenticator = await context.newCDPSession(page);
    await authenticator.send("WebAuthn.enable");
    await authenticator.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await page.goto("/app/me?tab=security");
    await page.getByRole("button", { name: "Add a passkey" }).click();
    const dialog = page.getByRole("dialog", { name: "Add a passkey" });
    await dialog.getByLabel("Name").fill("My laptop");
    await dialog.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: "Rename My laptop" }).waitFor();
    await signOut(page);
    await page.getByRole("button", { name: "Continue with a passkey" }).click();
    await page.waitForURL("**/app/tokens");
  });

  it("ends the sessions of other devices", async () => {
    const other = await openWindow(browser, world.consoleUrl, DESK);
    await other.page.goto("/login");
    await signIn(other.page, { username: ADA.username, password: ADAS_OWN });
    await other.page.getByLabel("Two-factor code").waitFor();
    await other.context.close();
    const { page } = ada;
    await page.goto("/app/me?tab=security");
    await page.getByText("This device").waitFor();
    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Sign out everywhere" }).click();
    await page.waitForURL("**/login");
    expect(await page.evaluate("fetch('/api/user/self').then((response) => response.status)")).toBe(401);
  });

  it("signs a banned user out at once", async () => {
    const { page } = root;
    await page.goto("/admin/users");
    await rowAction(page, ADA.username, "Ban");
    await page.getByRole("alertdialog").getByRole("button", { name: "Ban" }).click();
    await row(page, ADA.username).getByText("Banned").waitFor();
    await signInAnew(ada.page, ADAS_OWN);
    await ada.page
      .getByRole("alert")
      .filter({ hasText: /Wrong user name or password|banned/ })
      .waitFor();
    await page.goto("/admin/audit?area=user");
    await settle(page);
    await row(page, ADA.username).first().waitFor();
    const quota = row(page, "User · Adjust quota").first();
    await quota.getByRole("button", { name: /details/i }).click();
    await page.getByText("$7.50").waitFor();
    await page.getByText("first order").waitFor();
  });
});

describe("visitor", () => {
  it("signs up with an invitation and signs in", async () => {
    const { page, context } = await openWindow(browser, world.consoleUrl);
    await page.goto("/register?aff=12e4");
    expect(await page.getByLabel("Invitation code (optional)").inputValue()).toBe("12e4");
    await page.getByLabel("User name").fill("grace");
    await page.getByLabel("Password", { exact: true }).fill("secret-grace-1");
    await page.getByLabel("Confirm password").fill("secret-grace-1");
    await page.getByRole("button", { name: "Sign up" }).click();
    await page.waitForURL("**/login");
    await signIn(page, { username: "grace", password: "secret-grace-1" });
    await page.waitForURL("**/app/tokens");
    await page.goto("/admin/users");
    await page.waitForURL((url) => !url.pathname.startsWith("/admin"));
    await context.close();
  });

  it("requests a password reset without revealing which accounts exist, and reports an expired link", async () => {
    const { page, context } = await openWindow(browser, world.consoleUrl);
    await page.goto("/reset");
    await page.getByLabel("E-mail").fill("nobody@example.com");
    await page.getByRole("button", { name: "Send link" }).click();
    await page.getByRole("button", { name: /^Send again in/ }).waitFor();
    await page.goto("/user/reset?email=nobody%40example.com&token=00000000000000000000000000000000");
    await page.getByRole("button", { name: "Set a new password" }).click();
    await page.getByRole("alert").waitFor();
    await context.close();
  });
});
