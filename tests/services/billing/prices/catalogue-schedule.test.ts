import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { CATALOGUE_ROW } from "@turnpike/contract/options/price-options";
import type { PriceRules } from "@turnpike/contract/pricing/rules/price-rule";
import { catalogueProposed } from "@turnpike/shared/events/billing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { actor, admin, type BillingWorld, startBillingWorld } from "../billing-world.ts";

const entry = (input: number, output: number) => ({
  litellm_provider: "openai",
  mode: "chat",
  input_cost_per_token: input / 1e6,
  output_cost_per_token: output / 1e6,
});

describe("scheduled comparison of a catalogue", () => {
  let world: BillingWorld;
  let requests = 0;
  let body: unknown = {};
  const server = createServer((_request, response) => {
    requests++;
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  const notices: unknown[] = [];
  const proposal = () => world.catalogues.getCatalogueProposal({}, admin);
  const rules = async (): Promise<PriceRules> => {
    const { options } = await world.priceBook.getPriceBook({});
    return (JSON.parse(options.find(({ key }) => key === CATALOGUE_ROW)?.value ?? "{}") as { rules: PriceRules }).rules;
  };
  const check = async () => {
    await world.options.start();
    await world.billing.jobs.checkCatalogue();
  };
  /** As a day later. */
  const age = () =>
    world.collections.state.updateOne({ _id: "catalogue" }, { $inc: { "catalogue.checkedAtMs": -90_000_000 } });

  beforeAll(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    world = await startBillingWorld({ allowlist: ["127.0.0.1/32"] });
    world.bus.listen(catalogueProposed, (notice) => void notices.push(notice));
    const { port } = server.address() as AddressInfo;
    await world.setOption("CatalogueUrl", `http://127.0.0.1:${port}/prices.json`);
    body = {
      // A tenth dearer in every part: a list without the tiers or the price of a search would be a large change.
      "gpt-4.1": {
        ...entry(2.2, 8.8),
        cache_read_input_token_cost: 0.55e-6,
        input_cost_per_token_priority: 3.85e-6,
        output_cost_per_token_priority: 15.4e-6,
        cache_read_input_token_cost_priority: 0.9625e-6,
        input_cost_per_token_batches: 1.1e-6,
        output_cost_per_token_batches: 4.4e-6,
        search_context_cost_per_query: { search_context_size_medium: 0.0275 },
      },
      "gpt-4o-mini": entry(15, 60),
      "gpt-next": entry(1, 4),
    };
  });
  afterAll(async () => {
    await world.stop();
    server.close();
  });

  it("does nothing while it is off", async () => {
    await check();
    expect(requests).toBe(0);
    expect(await proposal()).toMatchObject({ checkedAtSeconds: 0, added: 0, changed: 0 });
  });

  it("only proposes: counts new, changed and largely changed prices, notifies operators once, and changes no price", async () => {
    await world.setOption("CatalogueSchedule", "propose");
    const before = await rules();
    await check();
    expect(await proposal()).toMatchObject({
      source: "litellm",
      problem: "",
      added: 1,
      changed: 2,
      large: 1,
      applied: 0,
    });
    expect(await rules()).toEqual(before);
    const expected = { source: "litellm", added: 1, changed: 2, large: 1, applied: 0 };
    await vi.waitFor(() => expect(notices).toEqual([expected]));
    // Not again on the same day, and on the next one only when something else is proposed.
    await check();
    expect(requests).toBe(1);
    await age();
    await check();
    expect(requests).toBe(2);
    expect(notices).toEqual([expected]);
  });

  it("applies changes within the bound, and proposes larger ones and new models", async () => {
    await world.setOption("CatalogueSchedule", "apply");
    await age();
    await check();
    expect(await proposal()).toMatchObject({ added: 1, changed: 1, large: 1, applied: 1 });
    const after = await rules();
    expect(after["gpt-4.1"]).toMatchObject({ input: 2.2, output: 8.8 });
    expect(after["gpt-4o-mini"]).toMatchObject({ input: 0.15 });
    expect(after["gpt-next"]).toBeUndefined();
    const filter = { name: "gpt-4.1", key: "CatalogueRules", startSeconds: 0, endSeconds: 0, page: 1, pageSize: 5 };
    const { items } = await world.priceBook.listPriceChanges(filter, admin);
    expect(items[0]).toMatchObject({ actorName: "catalogue", name: "gpt-4.1", isBuiltInBefore: true });
  });

  it("does not apply a change of cache writes, bands or tiers beyond the bound", async () => {
    body = {
      "claude-sonnet-4-5": {
        ...entry(3, 15),
        litellm_provider: "anthropic",
        cache_read_input_token_cost: 0.3e-6,
        cache_creation_input_token_cost: 37.5e-6,
      },
    };
    const before = (await rules())["claude-sonnet-4-5"];
    await age();
    await check();
    expect(await proposal()).toMatchObject({ changed: 1, large: 1, applied: 0 });
    expect((await rules())["claude-sonnet-4-5"]).toEqual(before);
  });

  it("keeps the prices when the catalogue is broken, reports why, and tries again after an hour", async () => {
    const before = await rules();
    body = "<html>";
    await age();
    await expect(check()).rejects.toMatchObject({ code: "catalogue_unreadable" });
    expect((await proposal()).problem).toContain("catalogue_unreadable");
    expect(await rules()).toEqual(before);
    const seen = requests;
    await check();
    expect(requests).toBe(seen);
  });

  it("is shown to administrators only", async () => {
    await expect(world.catalogues.getCatalogueProposal({}, actor(5))).rejects.toMatchObject({
      code: "permission_denied",
    });
  });
});
