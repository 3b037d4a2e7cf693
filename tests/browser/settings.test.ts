import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { AxeBuilder } from "@axe-core/playwright";
import type { Locator } from "playwright-core";
import { afterAll, afterEach, expect, it } from "vitest";
import type { ConsoleClient } from "../lib/console-client.ts";
import { chooseOption, DESK, openWindow, settle, signIn } from "./browser.ts";
import { useConsole } from "./console-world.ts";

/** Responses of other sites by path: preset ratios, the latest release, an identity provider. */
function getResponses(address: string): Readonly<Record<string, unknown>> {
  return {
    "/ratios/flexible/prompt.json": { "preset-one": 2, "preset-two": 3 },
    "/ratios/flexible/completion.json": { "preset-one": 5 },
    "/latest": { tag_name: "v99.0.0", html_url: "https://code.example.com/releases/v99", published_at: "2030-01-01" },
    "/.well-known/openid-configuration": {
      issuer: address,
      authorization_endpoint: `${address}/authorize`,
      token_endpoint: `${address}/token`,
      userinfo_endpoint: `${address}/me`,
      jwks_uri: `${address}/keys`,
    },
  };
}

async function startElsewhere() {
  const server = createServer((request, response) => {
    const result = getResponses(`http://${request.headers.host ?? ""}`)[request.url ?? ""];
    response.writeHead(result === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(result ?? {}));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    stop: async (): Promise<void> => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

let elsewhere: Awaited<ReturnType<typeof startElsewhere>>;
let root: ConsoleClient;
const at = useConsole(
  async (world) => {
    elsewhere = await startElsewhere();
    root = await world.root();
  },
  { env: { PRIVATE_ADDRESS_ALLOWLIST: "127.0.0.1/32" } },
);
afterAll(() => elsewhere?.stop());

const option = async (key: string): Promise<string | undefined> =>
  (await root.get<{ key: string; value: string }[]>("/api/option/")).find((row) => row.key === key)?.value;

/** Site texts set by a test; reset when the test ends. */
const written = new Set<string>();
async function write(key: "Notice" | "HomePageContent" | "About" | "Footer", value: string): Promise<void> {
  written.add(key);
  await root.put("/api/option/", { key, value });
}
afterEach(async () => {
  for (const key of written) await root.put("/api/option/", { key, value: "" });
  written.clear();
});

async function openTab(tab: string): Promise<void> {
  await at.page.goto(`/admin/settings?tab=${tab}`);
  await settle(at.page);
}
const section = (name: string): Locator => at.page.getByRole("region", { name, exact: true });
async function save(part: Locator): Promise<void> {
  await part.getByRole("button", { name: "Save", exact: true }).click();
  await part.getByText(/unsaved change/).waitFor({ state: "detached" });
}
const question = (): Locator => at.page.getByRole("alertdialog");

it("saves the changed fields of a section with one request, and focuses the first invalid field", async () => {
  await openTab("operation");
  const general = section("General");
  await general.getByLabel("Top-up link").fill("https://site.example.com/codes");
  await general.getByLabel("Retries").fill("11");
  await general.getByText("Must be 10 or less").waitFor();
  await general.getByRole("button", { name: "Save", exact: true }).click();
  expect(await general.locator("input:focus").getAttribute("id")).toBe(
    await general.getByLabel("Retries").getAttribute("id"),
  );
  await general.getByLabel("Retries").fill("4");
  const sent: unknown[] = [];
  at.page.on("request", (request) => {
    if (request.method() === "PUT") sent.push(request.postDataJSON());
  });
  await save(general);
  expect(sent).toEqual([
    {
      options: [
        { key: "TopUpLink", value: "https://site.example.com/codes" },
        { key: "RetryTimes", value: "4" },
      ],
    },
  ]);
});

it("requests confirmation before password sign-in is disabled, and keeps the switch when declined", async () => {
  await openTab("system");
  const toggle = section("Sign-in and registration").getByLabel("Allow sign-in with a password");
  await toggle.click();
  await question().getByRole("button", { name: "Cancel" }).click();
  expect(await toggle.isChecked()).toBe(true);
  await toggle.click();
  await question().getByRole("button", { name: "Turn off" }).click();
  expect(await toggle.isChecked()).toBe(false);
  expect(await option("PasswordLoginEnabled")).toBe("true");
});

it("enables a provider together with its credentials, and never shows its secret again", async () => {
  await openTab("system");
  const github = section("GitHub");
  await github.getByRole("switch").click();
  await github.getByText("Fill in first: GitHub client ID and GitHub client secret").waitFor();
  await github.getByLabel("GitHub client ID").fill("the-id");
  await github.getByRole("textbox", { name: "GitHub client secret" }).fill("hush-hush");
  await save(github);
  expect(await option("GitHubOAuthEnabled")).toBe("true");
  await at.page.reload();
  await settle(at.page);
  await github.getByText("Set", { exact: true }).waitFor();
  expect(await at.page.content()).not.toContain("hush-hush");
  await github.getByRole("button", { name: "Remove GitHub client secret" }).click();
  await question().getByRole("button", { name: "Remove" }).click();
  await at.page.getByText("Turn off first: Allow GitHub").waitFor();
});

it("shows server-side validation errors at the field", async () => {
  await openTab("system");
  const mail = section("SMTP");
  await mail.getByLabel("Send a test mail").fill("someone@example.com");
  await mail.getByRole("button", { name: "Send" }).click();
  await mail.getByText("The administrator has not set up a mail server").waitFor();
  const oidc = section("OIDC");
  await oidc.getByLabel("Discovery address (well-known)").fill("http://127.0.0.1:9/.well-known/openid-configuration");
  await oidc.getByRole("button", { name: "Get endpoints" }).click();
  await oidc.getByText(/could not be fetched|not allowed/).waitFor();
});

it("sets prices by ratio, and of many models at once", async () => {
  await openTab("operation");
  const prices = section("Pricing");
  await prices.getByRole("button", { name: "Add model" }).click();
  const dialog = at.page.getByRole("dialog");
  await dialog.getByLabel(/^Model\*?$/).fill("gpt-4o");
  await dialog.getByRole("button", { name: "OK" }).click();
  await dialog.getByText("This model is already in the table").waitFor();
  await dialog.getByLabel(/^Model\*?$/).fill("house-model");
  await chooseOption(dialog, "Enter as", "Ratio");
  await dialog.getByLabel("Model ratio").fill("1.5");
  await dialog.getByLabel("Completion ratio").fill("4");
  await dialog.getByText("Input $3, output $12 per million tokens").waitFor();
  await dialog.getByRole("button", { name: "OK" }).click();
  await prices.getByRole("button", { name: "Set several" }).click();
  await at.page.getByText("Select the models to set first").waitFor();
  await prices.getByLabel("Search models").fill("ernie");
  await prices.getByLabel("Select all matching models").click();
  await prices.getByRole("button", { name: /Set several \(/ }).click();
  await dialog.getByRole("button", { name: "OK" }).click();
  await dialog.getByText("Enter both the model ratio and the completion ratio").waitFor();
  await chooseOption(dialog, "Billing type", "Price per call");
  await dialog.getByLabel("Price per call ($)").fill("0.02");
  await dialog.getByRole("button", { name: "OK" }).click();
  await save(prices);
  const ratios = JSON.parse((await option("ModelRatio")) ?? "{}") as Record<string, number>;
  const perCall = JSON.parse((await option("ModelPrice")) ?? "{}") as Record<string, number>;
  expect(ratios["house-model"]).toBe(1.5);
  expect(ratios["ERNIE-4.0-8K"]).toBeUndefined();
  expect(perCall["ERNIE-4.0-8K"]).toBe(0.02);
});

it("keeps the prices of both when two administrators change them at the same time", async () => {
  await openTab("operation");
  const prices = section("Pricing");
  const addModel = async (name: string, dollars: string): Promise<void> => {
    await prices.getByRole("button", { name: "Add model" }).click();
    const dialog = at.page.getByRole("dialog");
    await dialog.getByLabel(/^Model\*?$/).fill(name);
    await dialog.getByLabel(/^Input/).fill(dollars);
    await dialog.getByRole("button", { name: "OK" }).click();
    await dialog.waitFor({ state: "detached" });
  };
  const changeElsewhere = (set: Record<string, number>): Promise<unknown> =>
    root.put("/api/option/prices", { changes: [{ key: "ModelRatio", set }] });
  const ratios = async () => JSON.parse((await option("ModelRatio")) ?? "{}") as Record<string, number>;
  const merge = prices.getByRole("button", { name: "Load current prices, keep my changes" });

  await addModel("my-model", "3");
  await changeElsewhere({ "their-model": 7 });
  await prices.getByRole("button", { name: "Save", exact: true }).click();
  await prices.getByText("Another administrator has changed the prices; your changes are not saved.").waitFor();
  expect(await ratios()).not.toHaveProperty("my-model");
  await merge.click();
  await prices.getByText("The current prices are loaded and your changes are kept.").waitFor();
  await save(prices);
  expect(await ratios()).toMatchObject({ "my-model": 1.5, "their-model": 7 });

  await addModel("both-model", "4");
  await changeElsewhere({ "both-model": 9 });
  await prices.getByRole("button", { name: "Save", exact: true }).click();
  await merge.click();
  await prices.getByText("Someone else changed these prices too; saving applies yours: both-model").waitFor();
  await save(prices);
  expect(await ratios()).toMatchObject({ "both-model": 2, "my-model": 1.5, "their-model": 7 });
});

it("edits groups and chat links as tables", async () => {
  await openTab("operation");
  const groups = section("Groups");
  await groups.getByLabel("New group").fill("vip");
  await groups.getByRole("button", { name: "Add" }).click();
  await groups.getByText("A group with this name already exists").waitFor();
  await groups.getByLabel("New group").fill("gold");
  await groups.getByRole("button", { name: "Add" }).click();
  await groups.getByLabel("Ratio of gold").fill("0.5");
  await groups.getByLabel("Users may choose it").last().click();
  await groups.getByLabel("Description of gold").fill("Gold users");
  await save(groups);
  expect(JSON.parse((await option("GroupRatio")) ?? "")).toMatchObject({ gold: 0.5 });
  expect(JSON.parse((await option("UserUsableGroups")) ?? "")).toMatchObject({ gold: "Gold users" });
  await groups.getByLabel("Ratio of gold").fill("0.6");
  await root.put("/api/option/prices", { changes: [{ key: "GroupRatio", set: { silver: 2 } }] });
  await groups.getByRole("button", { name: "Save", exact: true }).click();
  await groups.getByRole("button", { name: "Load current prices, keep my changes" }).click();
  await groups.getByText("The current prices are loaded and your changes are kept.").waitFor();
  await save(groups);
  expect(JSON.parse((await option("GroupRatio")) ?? "")).toMatchObject({ gold: 0.6, silver: 2 });
  await root.put("/api/user/", { id: 1, group: "gold" });
  await groups.getByRole("row", { name: /^gold/ }).getByRole("button", { name: "Remove" }).click();
  await groups.getByRole("button", { name: "Save", exact: true }).click();
  const held = at.page.getByRole("dialog", { name: "The group “gold” is in use" });
  await held.getByText("1 users, 0 tokens and 0 channels are in this group").waitFor();
  expect(await at.page.locator("[data-sonner-toast][data-type=error]").count()).toBe(0);
  await held.getByLabel("Move to").selectOption("svip");
  await held.getByRole("button", { name: "Move and remove the group" }).click();
  await held.waitFor({ state: "detached" });
  await expect.poll(() => option("GroupRatio")).not.toContain("gold");
  const chats = section("Chat links");
  await chats.getByRole("button", { name: "Add link" }).click();
  await chats.getByText("Each link needs a name and an address.").waitFor();
  await chats.getByLabel("Name of link 1").fill("Lobe");
  await chats.getByLabel("Address of link 1").fill("https://lobe.example.com/?key={key}");
  await save(chats);
  expect(JSON.parse((await option("Chats")) ?? "")).toEqual([{ Lobe: "https://lobe.example.com/?key={key}" }]);
});

it("loads presets, endpoints and releases from the configured addresses", async () => {
  await openTab("operation");
  await section("Source of presets").getByLabel("Preset address").fill(`${elsewhere.address}/ratios/`);
  await save(section("Source of presets"));
  const prices = section("Pricing");
  const dialog = at.page.getByRole("dialog");
  await prices.getByRole("button", { name: "Preset ratios" }).click();
  await dialog.getByRole("button", { name: "Load and fill in" }).click();
  await prices.getByLabel("Search models").fill("preset-");
  await prices.getByLabel("preset-one · Output").first().waitFor();
  expect(await prices.getByLabel("preset-one · Output").first().inputValue()).toBe("20");
  await save(prices);
  expect(JSON.parse((await option("ModelRatio")) ?? "")).toMatchObject({ "preset-one": 2, "preset-two": 3 });
  await prices.getByRole("button", { name: "Preset ratios" }).click();
  await dialog.getByRole("button", { name: "Reset preset models" }).click();
  await save(prices);
  expect(await option("ModelRatio")).not.toContain("preset-one");

  await openTab("system");
  const oidc = section("OIDC");
  await oidc.getByLabel("Discovery address (well-known)").fill(`${elsewhere.address}/.well-known/openid-configuration`);
  await save(oidc);
  expect(await option("oidc.token_endpoint")).toBe(`${elsewhere.address}/token`);
  expect(await oidc.getByLabel("User info endpoint").inputValue()).toBe(`${elsewhere.address}/me`);

  await openTab("other");
  const version = section("Version");
  await version.getByRole("button", { name: "Check for updates" }).click();
  await version.getByText("No address to check for updates is set.").waitFor();
  await version.getByLabel("Update address").fill(`${elsewhere.address}/latest`);
  await save(version);
  await version.getByRole("button", { name: "Check for updates" }).click();
  await version.getByText("99.0.0").waitFor();
});

it("hides root-only sections from an administrator", async () => {
  await root.post("/api/user/", { username: "helper", password: "turnpike-help-1", role: 10 });
  const visitor = await openWindow(at.browser, at.world.consoleUrl);
  await visitor.page.goto("/login");
  await signIn(visitor.page, { username: "helper", password: "turnpike-help-1" });
  await visitor.page.waitForURL("**/app/tokens");
  const names = async (tab: string): Promise<string[]> => {
    await visitor.page.goto(`/admin/settings?tab=${tab}`);
    await visitor.page.getByRole("navigation", { name: "Settings on this page" }).waitFor();
    return visitor.page.getByRole("tabpanel").first().getByRole("heading", { level: 2 }).allTextContents();
  };
  expect(await names("other")).not.toContain("Custom code");
  expect(await names("system")).toContain("SMTP");
  await root.put("/api/option/", { key: "SecretOptionsRootOnly", value: "true" });
  expect(await names("system")).toEqual(["Site address", "Reverse proxy", "Worker proxy"]);
  await root.put("/api/option/", { key: "SecretOptionsRootOnly", value: "false" });
  await visitor.context.close();
});

it("requests confirmation before leaving unsaved changes", async () => {
  await openTab("operation");
  await section("General").getByLabel("Retries").fill("5");
  await at.page.getByRole("tab", { name: "Models", exact: true }).click();
  await question().getByRole("button", { name: "Cancel" }).click();
  expect(await section("General").getByLabel("Retries").inputValue()).toBe("5");
});

it("opens the notice once a day, runs no code in it, and reopens it on request", async () => {
  await write(
    "Notice",
    "# Maintenance\n\nTonight, <b>at ten</b>.<script>window.stolen = 1</script><a href='javascript:window.stolen=1'>x</a>",
  );
  await at.page.goto("/pricing");
  const notice = at.page.getByRole("dialog", { name: "Notice" });
  await notice.getByRole("heading", { name: "Maintenance" }).waitFor();
  const { violations } = await new AxeBuilder({ page: at.page }).setLegacyMode().include("[role=dialog]").analyze();
  expect(violations.filter(({ impact }) => impact === "serious" || impact === "critical")).toEqual([]);
  expect(await notice.locator("script, [href^=javascript]").count()).toBe(0);
  expect(await at.page.evaluate("window.stolen")).toBeUndefined();
  await notice.getByRole("button", { name: "Got it" }).click();
  await at.page.reload();
  await settle(at.page);
  const button = at.page.getByRole("banner").getByRole("button", { name: "Notice" });
  await button.waitFor();
  expect(await notice.isVisible()).toBe(false);
  await button.click();
  await notice.waitFor();
});

it("shows the operator's home and about pages, framed if they are an address, with the footer below", async () => {
  await at.page.goto("/");
  await at.page.waitForURL("**/app/dashboard");
  await write("HomePageContent", "<h1>Welcome</h1><div style='position:fixed;inset:0'>cover</div>");
  await write("About", "https://about.example.com/");
  await write("Footer", "Run by [Example](https://example.com)");
  await at.page.goto("/");
  await at.page.getByRole("heading", { name: "Welcome" }).waitFor();
  await at.page.locator("footer").getByRole("link", { name: "Example" }).waitFor();
  // Content that would cover the window stays in its own box: the header remains usable.
  await at.page.getByRole("banner").getByRole("link", { name: "Pricing" }).click();
  await at.page.waitForURL("**/pricing");
  await at.page.route("https://about.example.com/", (route) =>
    route.fulfill({ body: "About us", contentType: "text/html" }),
  );
  await at.page.goto("/about");
  await at.page.frameLocator("iframe[title=About]").getByText("About us").waitFor();
  expect(await at.page.locator("iframe").getAttribute("sandbox")).not.toContain("allow-top-navigation");
});

it("shows a plain home page to a visitor if the operator wrote none", async () => {
  const visitor = await openWindow(at.browser, at.world.consoleUrl, { ...DESK, width: 375 });
  await visitor.page.goto("/");
  await visitor.page.getByRole("heading", { level: 1, name: "Turnpike" }).waitFor();
  await visitor.page.getByRole("button", { name: "Open menu" }).click();
  await visitor.page.getByRole("dialog").getByRole("link", { name: "About" }).click();
  await visitor.page.getByRole("heading", { level: 1, name: "About" }).waitFor();
  expect(visitor.problems).toEqual([]);
  await visitor.context.close();
});
