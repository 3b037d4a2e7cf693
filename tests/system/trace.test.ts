import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../lib/fake-upstream/fake-upstream.ts";
import { openShop, type Shop } from "../lib/shop.ts";
import { testBacking } from "../lib/test-backing.ts";
import { startWorld, type World } from "../lib/world.ts";

type Value = { readonly stringValue?: string; readonly intValue?: number | string };
type Span = {
  readonly traceId: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly { readonly key: string; readonly value: Value }[];
};
const CLIENT = 3;

/** Takes in what services send of their spans. */
async function startCollector() {
  const spans: Span[] = [];
  let texts = "";
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString("utf8")));
    request.on("end", () => {
      texts += body;
      if (request.url === "/v1/traces") {
        const sent = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] };
        for (const { scopeSpans } of sent.resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans);
      }
      response.end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const stop = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { spans, all: (): string => texts, url: `http://127.0.0.1:${port}`, stop };
}

let collector: Awaited<ReturnType<typeof startCollector>>;
let upstream: FakeUpstream;
let world: World;
let shop: Shop;

beforeAll(async () => {
  collector = await startCollector();
  upstream = await startFakeUpstream();
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: "200",
    OTEL_METRICS_EXPORTER: "none",
    OTEL_LOGS_EXPORTER: "none",
  };
  world = await startWorld({ backing: testBacking(), env });
  shop = await openShop(world, upstream.url);
}, 180_000);
afterAll(async () => {
  await world?.stop();
  await upstream?.stop();
  collector?.stop();
});

const attribute = (span: Span, key: string): string | number | undefined => {
  const value = span.attributes.find((known) => known.key === key)?.value;
  return value?.stringValue ?? value?.intValue;
};
const bearing = (requestId: string): Span[] =>
  collector.spans.filter((span) => attribute(span, "turnpike.request_id") === requestId);

describe("traces", () => {
  it("one request id finds a call in its header, its log row and its trace, with the provider's call in it", async () => {
    const { key } = await shop.token();
    const words = "a-secret-of-the-caller";
    const answer = await fetch(`${world.relayUrl}/v1/chat/completions?key=${key}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "gpt-4o", messages: [{ role: "user", content: words }] }),
    });
    await answer.text();
    const requestId = answer.headers.get("x-request-id") ?? "";
    expect((await shop.logOf(requestId)).request_id).toBe(requestId);
    await expect.poll(() => bearing(requestId).length, { timeout: 10_000 }).toBeGreaterThan(0);
    const [served] = bearing(requestId);
    expect(served && attribute(served, "gen_ai.request.model")).toBe("gpt-4o");
    const calls = (): Span[] =>
      collector.spans.filter((span) => span.traceId === served?.traceId && span.kind === CLIENT);
    await expect
      .poll(
        () =>
          calls()
            .map((span) => String(attribute(span, "url.full")))
            .join(),
        { timeout: 10_000 },
      )
      .toContain(upstream.url);
    for (const secret of [key.slice(3), words, "up-openai-key"]) expect(collector.all()).not.toContain(secret);
  });

  it("a call of the console is one trace through gateway and services", async () => {
    const response = await fetch(`${world.consoleUrl}/api/status`);
    await response.text();
    await shop.self();
    const traces = (): number =>
      Math.max(
        0,
        ...[
          ...Map.groupBy(
            collector.spans.filter((span) => attribute(span, "turnpike.request_id") !== undefined),
            (span) => span.traceId,
          ).values(),
        ].map((spans) => spans.length),
      );
    await expect.poll(traces, { timeout: 10_000 }).toBeGreaterThan(1);
  });
});
