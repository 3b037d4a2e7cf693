import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Locator } from "playwright-core";
import { afterAll, expect, it } from "vitest";
import type { ConsoleClient } from "../lib/console-client.ts";
import { type FakeUpstream, startFakeUpstream } from "../lib/fake-upstream/fake-upstream.ts";
import { openTestSite, type TestSite } from "../lib/test-site.ts";
import { findViolations } from "./accessibility.ts";
import { useConsole } from "./console-world.ts";

const chat = (input: number, output: number, more: object = {}) => ({
  litellm_provider: "openai",
  mode: "chat",
  input_cost_per_token: input / 1e6,
  output_cost_per_token: output / 1e6,
  ...more,
});

/** A newer catalogue: a large change, a change of a cache price alone, and a model without a price. */
const CATALOGUE = {
  "gpt-4o": chat(10, 40, { cache_read_input_token_cost: 1.25e-6 }),
  "gpt-4o-mini": chat(0.15, 0.6, { cache_read_input_token_cost: 0.09e-6 }),
  "brand-new-model": chat(3, 12, { input_cost_per_token_priority: 6e-6, output_cost_per_token_priority: 24e-6 }),
};

let server: Server;
let address: string;
let accounts: FakeUpstream;
let root: ConsoleClient;
let site: TestSite;

const at = useConsole(
  async (world, upstream) => {
    server = createServer((_, response) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(CATALOGUE));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/prices.json`;
    accounts = await startFakeUpstream({
      models: ["gpt-4o-mini", "own-priced-model", "brand-new-model", "nobody-knows"],
    });
    site = await openTestSite(world, upstream.url);
    ({ root } = site);
    await root.put("/api/option/", { key: "ModelRatio", value: JSON.stringify({ "own-priced-model": 2 }) });
    await root.put("/api/option/", { key: "CatalogueUrl", value: address });
    // A call of the last days, which a rehearsal calculates.
    const { key } = await site.token({ unlimited_quota: true });
    const response = await fetch(`${world.relayUrl}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "gpt-4o", messages: [{ role: "user", content: "hello" }] }),
    });
    await response.text();
    await site.readLogRow(response.headers.get("x-request-id") ?? "");
  },
  { env: { PRIVATE_ADDRESS_ALLOWLIST: "127.0.0.1/32" } },
);
afterAll(async () => {
  server?.closeAllConnections();
  server?.close();
  await accounts?.stop();
});

const readOption = async (key: string): Promise<string> =>
  (await root.get<{ key: string; value: string }[]>("/api/option/")).find((row) => row.key === key)?.value ?? "{}";

async function openCatalogue(): Promise<Locator> {
  await at.open("/admin/settings");
  await at.page.getByRole("button", { name: "Compare price catalogues" }).click();
  const sheet = at.page.getByRole("dialog", { name: "Compare price catalogues" });
  await sheet.getByRole("button", { name: "Compare", exact: true }).click();
  await sheet.getByRole("list", { name: "Price differences" }).waitFor();
  return sheet;
}

it("shows the prices of models that an upstream lists, and saves a proposed price with the channel", async () => {
  const { page } = at;
  await at.open("/admin/channels/new");
  const sheet = page.getByRole("dialog", { name: "New channel" });
  await sheet.getByRole("textbox", { name: "Name", exact: true }).fill("with new models");
  await sheet.getByRole("textbox", { name: "Key", exact: true }).fill("sk-new-1111");
  await sheet.getByLabel("Base URL").fill(accounts.url);
  await sheet.getByRole("button", { name: "Fetch from upstream" }).click();
  const picker = page.getByRole("dialog", { name: "Choose models" });
  await picker.getByText("$0.15 / $0.60 (built-in)").waitFor();
  await picker.getByText("$4 / $4 (yours)").waitFor();
  expect(await picker.getByText("No price", { exact: true }).count()).toBe(2);
  await picker.getByRole("button", { name: "Select all" }).click();
  await picker.getByRole("button", { name: /^Use/ }).click();
  const prices = sheet.getByRole("region", { name: "Prices of new models" });
  await prices.getByRole("button", { name: "Look up in the price catalogue" }).click();
  const proposals = prices.getByRole("list", { name: "Proposed prices" });
  await proposals.getByText("brand-new-model").waitFor();
  await proposals.getByText("$12", { exact: true }).waitFor();
  await prices.getByText(/no price of these models.*nobody-knows/).waitFor();
  expect(await findViolations(page, "all")).toEqual([]);
  await sheet.getByRole("button", { name: "Create", exact: true }).click();
  await sheet.waitFor({ state: "detached" });
  expect(JSON.parse(await readOption("CatalogueRules"))).toEqual({
    "brand-new-model": { input: 3, output: 12, tiers: { priority: { input: 6, output: 24 } } },
  });
  const [found] = await root.post<{ origin: string }[]>("/api/option/model_prices", { models: ["brand-new-model"] });
  expect(found?.origin).toBe("built_in");
});

it("starts a comparison at the daily source, shows what changes, and requests confirmation of a large change", async () => {
  const sheet = await openCatalogue();
  expect(await sheet.getByLabel(/^Address/).inputValue()).toBe(address);
  const row = (model: string) => sheet.getByRole("listitem").filter({ hasText: model }).first();
  const mini = row("gpt-4o-mini");
  await mini.getByText("Cache read").first().waitFor();
  await mini.getByText("$0.075", { exact: true }).waitFor();
  await mini.getByText("$0.09", { exact: true }).waitFor();
  await sheet.getByRole("button", { name: "Select none" }).click();
  await sheet.getByRole("checkbox", { name: "Adopt the price of gpt-4o-mini" }).check();
  await sheet.getByRole("checkbox", { name: "Adopt the price of gpt-4o", exact: true }).check();
  await sheet.getByRole("button", { name: "Rehearse selected" }).click();
  const rehearsal = at.page.getByRole("dialog", { name: /rehears/i }).last();
  await rehearsal.getByRole("button", { name: "Rehearse", exact: true }).click();
  await rehearsal.getByRole("tablist").waitFor({ timeout: 60_000 });
  await at.page.keyboard.press("Escape");
  await sheet.getByRole("button", { name: /^Adopt selected/ }).click();
  const question = at.page.getByRole("alertdialog");
  // A tier that the catalogue lacks counts as a large change, too.
  await question
    .getByText(/gpt-4o/)
    .first()
    .waitFor();
  await question.getByRole("button", { name: "Adopt" }).click();
  await sheet.getByRole("list", { name: "Price differences" }).waitFor({ state: "detached" });
  await expect
    .poll(async () => JSON.parse(await readOption("CatalogueRules")) as object)
    .toMatchObject({
      "gpt-4o": { input: 10, output: 40 },
      "gpt-4o-mini": { cache_read: 0.09 },
    });
});

it("shows in the history which amounts of a price changed, instead of JSON", async () => {
  await at.open("/admin/settings");
  await at.page.getByRole("region", { name: "Pricing", exact: true }).getByRole("button", { name: "History" }).click();
  const history = at.page.getByRole("dialog", { name: "Price history" });
  const change = history.getByRole("listitem").filter({ hasText: "gpt-4o-mini" }).first();
  await change.getByText("$0.09", { exact: true }).waitFor();
  expect(await history.getByText(/[{}]/).count()).toBe(0);
  await change.getByRole("button", { name: "Show the whole price" }).click();
  await change.getByRole("region", { name: "Prices by tier and prompt length" }).waitFor();
  expect(await findViolations(at.page, "all")).toEqual([]);
});

it("shows what is wrong with a price rule at its field", async () => {
  await at.open("/admin/settings");
  await at.page.locator("#prices .lucide-ellipsis").first().click();
  await at.page.getByRole("menuitem", { name: "Bands and tiers" }).click();
  const dialog = at.page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Add band" }).click();
  await dialog.getByRole("button", { name: "OK" }).click();
  await dialog.getByRole("alert").waitFor();
  const above = dialog.getByLabel("Prompts above (tokens)").last();
  expect(await above.getAttribute("aria-invalid")).toBe("true");
  expect(await dialog.locator(":focus").getAttribute("id")).toBe(await above.getAttribute("id"));
  expect(await dialog.getByRole("alert").count()).toBe(1);
  await above.fill("1000");
  await dialog.getByRole("alert").waitFor({ state: "detached" });
  expect(await findViolations(at.page, "all")).toEqual([]);
});

it("sets tokens, bands of a tier, pieces, images and regions of a price", async () => {
  await at.open("/admin/settings");
  await at.page.locator("#prices .lucide-ellipsis").first().click();
  await at.page.getByRole("menuitem", { name: "Bands and tiers" }).click();
  const dialog = at.page.getByRole("dialog");
  const name =
    /^Bands and tiers of (.*)$/.exec((await dialog.getByRole("heading", { level: 2 }).textContent()) ?? "")?.[1] ?? "";
  const press = (label: string, within = dialog) => within.getByRole("button", { name: label, exact: true }).click();
  await dialog.getByLabel("Input", { exact: true }).fill("2");
  await dialog
    .getByRole("button", { name: /^Audio, images, video and reasoning/ })
    .first()
    .click();
  await dialog.getByLabel("Reasoning output").fill("12");
  await press("Add tier");
  const tiers = dialog.getByRole("group", { name: "Service tier" });
  await tiers
    .getByLabel(/^Name, such as/)
    .last()
    .fill("flex");
  await tiers.getByLabel("Input", { exact: true }).last().fill("1");
  await press("Add band", tiers);
  await tiers.getByLabel("Prompts above (tokens)").last().fill("200000");
  await tiers.getByLabel("Input", { exact: true }).last().fill("1.5");
  await dialog.getByLabel("Per search").fill("0.01");
  await press("Add image price");
  await dialog
    .getByLabel(/^Quality\/size/)
    .last()
    .fill("high");
  await dialog.getByLabel("Dollars", { exact: true }).last().fill("0.17");
  await press("Add region");
  await dialog
    .getByLabel(/^Region, such as/)
    .last()
    .fill("eu");
  await dialog.getByLabel("Factor", { exact: true }).last().fill("1.1");
  expect(await findViolations(at.page, "all")).toEqual([]);
  await press("OK");
  await dialog.waitFor({ state: "detached" });
  await at.page.locator("#prices").getByRole("button", { name: "Save", exact: true }).click();
  const readRule = async (): Promise<unknown> => {
    const options = await root.get<{ key: string; value: string }[]>("/api/option/");
    const rules = options.find(({ key }) => key === "PriceRules")?.value ?? "{}";
    return (JSON.parse(rules) as Record<string, unknown>)[name];
  };
  await expect.poll(readRule).toMatchObject({
    input: 2,
    reasoning: 12,
    tiers: { flex: { input: 1, bands: [{ above: 200_000, input: 1.5 }] } },
    per_search: 0.01,
    per_image: { high: 0.17 },
    regions: { eu: 1.1 },
  });
});

it("sets a channel's cost by a factor, and opens its report page", async () => {
  const [channel] = await root.get<{ id: number }[]>("/api/channel/", { page_size: 1 });
  await at.open(`/admin/channels/${channel?.id}`);
  const sheet = at.page.getByRole("dialog");
  await sheet.getByRole("button", { name: /^Upstream cost/ }).click();
  await sheet.getByLabel("Cost factor", { exact: false }).fill("0.8");
  await sheet.getByRole("button", { name: "Save", exact: true }).click();
  await sheet.waitFor({ state: "detached" });
  const { cost } = await root.get<{ cost: string }>(`/api/channel/${channel?.id}`);
  expect(JSON.parse(cost)).toMatchObject({ factor: 0.8 });
  await at.open(`/admin/channels/${channel?.id}/report`);
  await at.page.getByRole("dialog").waitFor();
  expect(await findViolations(at.page, "all")).toEqual([]);
});
