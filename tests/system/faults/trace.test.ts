import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../lib/fake-upstream/fake-upstream.ts";
import { openTestSite, type TestSite } from "../../lib/test-site.ts";
import { testBacking } from "../../lib/backing/test-backing.ts";
import { startWorld, type World } from "../../lib/world.ts";

type Value = { readonly stringValue?: string; readonly intValue?: number | string };
type Span = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly { readonly key: string; readonly value: Value }[];
};
const SERVER = 2;
const CLIENT = 3;
const CONSUMER = 5;

/** Receives the spans that services export. */
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
let testSite: TestSite;

beforeAll(async () => {
  collector = await startCollector();
  upstream = await startFakeUpstream();
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: "200",
    OTEL_METRICS_EXPORTER: "none",
    OTEL_LOGS_EXPORTER: "none",
  };
  world = await startWorld({ backing: testBacking(), env, logLevel: "debug" });
  testSite = await openTestSite(world, upstream.url);
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

const send = (key: string, fields: Record<string, unknown> = {}, to: { url?: string; traceparent?: string } = {}) =>
  fetch(`${to.url ?? world.relayUrl}/v1/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      ...(to.traceparent === undefined ? {} : { traceparent: to.traceparent }),
    },
    body: JSON.stringify({ model: "gpt-4o", messages: [{ role: "user", content: "Hello there" }], ...fields }),
  });
/** The span of a kind for the request, once it has been exported. */
const getSpan = async (requestId: string, kind: number): Promise<Span> => {
  const found = (): Span | undefined => bearing(requestId).find((span) => span.kind === kind);
  await expect.poll(found, { timeout: 10_000 }).toBeDefined();
  return found() as Span;
};

describe("traces", () => {
  it.each([["whole"], ["streamed"]])(
    "links a %s call from its entry point through the provider's call to its posting, which the batch's span links to",
    async (how) => {
      const { key } = await testSite.token();
      upstream.always(
        {},
        { text: "Hi", usage: { inputTokens: 400, cachedTokens: 0, outputTokens: 50, reasoningTokens: 0 } },
      );
      const response = await send(key, { stream: how === "streamed", max_tokens: 77 });
      await response.text();
      upstream.reset();
      const requestId = response.headers.get("x-request-id") ?? "";
      const [served, provided, posted] = await Promise.all([
        getSpan(requestId, SERVER),
        getSpan(requestId, CLIENT),
        getSpan(requestId, CONSUMER),
      ]);
      expect([provided.traceId, posted.traceId]).toEqual([served.traceId, served.traceId]);
      expect([provided.parentSpanId, posted.parentSpanId]).toEqual([served.spanId, served.spanId]);
      expect(provided.name).toBe("chat gpt-4o");
      const facts = Object.fromEntries(provided.attributes.map(({ key: name }) => [name, attribute(provided, name)]));
      expect(facts).toMatchObject({
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "gpt-4o",
        "gen_ai.response.model": expect.stringMatching(/^gpt-4o/) as string,
        "gen_ai.request.max_tokens": 77,
        "gen_ai.usage.input_tokens": 400,
        "gen_ai.usage.output_tokens": 50,
      });
      // The HTTP call to the provider is made inside it.
      await expect
        .poll(() => collector.spans.some((span) => span.parentSpanId === provided.spanId && span.kind === CLIENT), {
          timeout: 10_000,
        })
        .toBe(true);
      const linksTo = (span: Span): boolean => (span.links ?? []).some(({ spanId }) => spanId === served.spanId);
      const [batchId] = (posted.links ?? []).map(({ spanId }) => spanId);
      await expect.poll(() => collector.spans.find(linksTo)?.spanId, { timeout: 10_000 }).toBe(batchId);
    },
  );

  it("records the trace of a call in its log row, for administrators, with a link by the operator's template", async () => {
    const template = "https://traces.example.com/trace/{trace_id}";
    await testSite.root.put("/api/option/", { key: "TraceUrlTemplate", value: template });
    const { key } = await testSite.token();
    const response = await send(key);
    await response.text();
    const requestId = response.headers.get("x-request-id") ?? "";
    const { traceId } = await getSpan(requestId, SERVER);
    const read = async () => {
      const query = { request_id: requestId };
      const { items } = await testSite.root.get<{ items: { trace_url?: string }[] }>("/api/log/", query);
      return items[0]?.trace_url;
    };
    await expect.poll(read, { timeout: 10_000 }).toBe(template.replace("{trace_id}", traceId));
  });

  it("keeps the trace of a call through the console's port from there to billing", async () => {
    const { key } = await testSite.token();
    const response = await send(key, {}, { url: world.consoleUrl });
    await response.text();
    const requestId = response.headers.get("x-request-id") ?? "";
    const posted = await getSpan(requestId, CONSUMER);
    const doors = (): Span[] =>
      collector.spans.filter(({ traceId, kind, name }) => {
        return traceId === posted.traceId && kind === SERVER && name.startsWith("POST");
      });
    await expect.poll(() => doors().length, { timeout: 10_000 }).toBe(2);
  });

  it("records no span of a call that its caller's trace does not sample, though its usage is posted", async () => {
    const { key } = await testSite.token();
    const traceId = "0af7651916cd43dd8448eb211c80319c";
    const unsampled = await send(key, {}, { traceparent: `00-${traceId}-b7ad6b7169203331-00` });
    await unsampled.text();
    const requestId = unsampled.headers.get("x-request-id") ?? "";
    expect((await testSite.readLogRow(requestId)).quota).toBeGreaterThan(0);
    // A later call that is sampled and posted: the spans of the other one would have been exported before.
    const sampled = await send(key);
    await sampled.text();
    await getSpan(sampled.headers.get("x-request-id") ?? "", CONSUMER);
    expect(collector.all()).not.toContain(traceId);
    expect(bearing(requestId)).toEqual([]);
  });

  it("records a failed attempt in its span, next to the span of the attempt that served", async () => {
    const { key } = await testSite.token();
    upstream.always({}, { refuse: { status: 500 } });
    const refused = await send(key);
    await refused.text();
    upstream.reset();
    const failed = await getSpan(refused.headers.get("x-request-id") ?? "", CLIENT);
    expect(attribute(failed, "error.type")).toBe("5xx");
  });

  it("finds a call by its request id in header, log row, service logs and trace, with the provider's call in it", async () => {
    const { key } = await testSite.token();
    const words = "a-secret-of-the-caller";
    const response = await fetch(`${world.relayUrl}/v1/chat/completions?key=${key}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "gpt-4o", messages: [{ role: "user", content: words }] }),
    });
    await response.text();
    const requestId = response.headers.get("x-request-id") ?? "";
    expect((await testSite.readLogRow(requestId)).request_id).toBe(requestId);
    const waitForSpan = (id: string): string[] => [
      ...new Set(world.log.lines.filter(({ line }) => line.includes(`"requestId":"${id}"`)).map(({ name }) => name)),
    ];
    await expect.poll(() => waitForSpan(requestId).toSorted(), { timeout: 5_000 }).toEqual(["billing", "relay"]);
    const served = await getSpan(requestId, SERVER);
    expect(attribute(served, "gen_ai.request.model")).toBe("gpt-4o");
    const calls = (): Span[] =>
      collector.spans.filter((span) => span.traceId === served.traceId && span.kind === CLIENT);
    await expect
      .poll(
        () =>
          calls()
            .map((span) => String(attribute(span, "url.full")))
            .join(),
        { timeout: 10_000 },
      )
      .toContain(upstream.url);
    for (const secret of [key.slice(3), words, "up-openai-key"]) {
      expect(collector.all()).not.toContain(secret);
      expect(world.log.lines.filter(({ line }) => line.includes(secret))).toEqual([]);
    }
  });

  it("links a call of the console through gateway and services", async () => {
    const response = await fetch(`${world.consoleUrl}/api/status`);
    await response.text();
    await testSite.self();
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
