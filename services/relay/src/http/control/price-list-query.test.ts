import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createUpstreamClient } from "../../upstream/upstream-client.ts";
import { createPriceListQuery } from "./price-list-query.ts";

const bodies = new Map<string, string>();
const seen: string[] = [];
const server = createServer((request, response) => {
  seen.push(`${request.url ?? ""} ${request.headers.authorization ?? "no key"}`);
  const body = bodies.get(request.url ?? "");
  response.writeHead(body === undefined ? 404 : 200, { "content-type": "application/json" }).end(body ?? "{}");
});
const client = createUpstreamClient({ connectMs: 1_000 });
const fetchPriceList = createPriceListQuery(client);
let site = "";

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await client.close();
  server.close();
});

describe("price list of a site", () => {
  it("is read from the site of any of its addresses, without a key", async () => {
    const body = JSON.stringify({ data: [], group_ratio: { default: 1 } });
    bodies.set("/api/pricing", body);
    expect(await fetchPriceList({ baseUrl: `${site}/openai/v1`, proxy: "" })).toEqual({ source: "pricing", body });
    expect(seen.splice(0)).toEqual(["/api/pricing no key"]);
  });

  it("is the site's table of ratios where it has no list", async () => {
    bodies.set("/api/pricing", '{"success":false,"message":"sign in"}');
    bodies.set("/api/ratio_config", '{"data":{"model_ratio":{}}}');
    expect(await fetchPriceList({ baseUrl: site, proxy: "" })).toMatchObject({ source: "ratio_config" });
  });

  it("fails with the reason where it has neither, or no address of a site", async () => {
    bodies.clear();
    const failed = (detail: string): unknown => ({ code: "fetch_prices_failed", params: { detail } });
    await expect(fetchPriceList({ baseUrl: site, proxy: "" })).rejects.toMatchObject(failed("HTTP 404") as object);
    await expect(fetchPriceList({ baseUrl: "", proxy: "" })).rejects.toMatchObject(
      failed("the channel has no address of a site") as object,
    );
  });
});
