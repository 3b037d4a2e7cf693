import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { decodeEvent } from "@turnpike/shared/events/bus";
import { type UsageRecord, usageRecorded } from "@turnpike/shared/events/relay";
import { createLogger } from "@turnpike/shared/log/log";
import { promptText, estimatePromptTokens, estimateTokens } from "../../tokens/token-estimate.ts";
import { createUsageEstimator } from "../../tokens/usage-estimator.ts";
import { createFailOpenLedger } from "../fail-open.ts";
import { createGeneratedText } from "../../tokens/generated-text.ts";
import { Spool } from "../../usage/spool.ts";
import { createTokenizer } from "../../tokens/tokenizer.ts";
import { createUsagePublisher } from "../../usage/usage-publisher.ts";

const log = createLogger("test", "silent");
const folder = mkdtempSync(join(tmpdir(), "turnpike-spool-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const freshFolder = (): string => mkdtempSync(join(folder, "spool-"));
const spoolAt = (root: string, owner: string) => new Spool({ root, owner, bytesMax: 1_000_000, log });

const record = (requestId: string): UsageRecord => ({
  requestId,
  type: 2,
  createdAtSeconds: 1,
  userId: 1,
  username: "ann",
  tokenId: 1,
  tokenName: "t",
  modelName: "gpt-4o",
  channelId: 1,
  channelName: "c",
  group: "default",
  isStream: false,
  useTimeSeconds: 0,
  promptTokens: 1,
  completionTokens: 1,
  quota: 3,
  content: "",
  clientIp: "",
  other: "{}",
});
const getIds = (payloads: string[]): string[] =>
  payloads.flatMap((payload) => decodeEvent(usageRecorded, payload).data.records.map(({ requestId }) => requestId));

describe("token estimate", () => {
  it("counts a quarter of plain text and one token per CJK character", () => {
    expect(estimateTokens("a".repeat(400))).toBe(100);
    expect(estimateTokens("你好世界")).toBe(4);
  });

  it("counts text, tools and images of a body without the image data", () => {
    const image = { type: "image_url", image_url: { url: `data:image/png;base64,${"A".repeat(100_000)}` } };
    const body = {
      messages: [{ role: "user", content: [{ type: "text", text: "hello you" }, image] }],
      tools: [{ name: "x".repeat(40) }],
    };
    expect(estimatePromptTokens(body)).toBe(3 + 3 + 3 + 255 + 10);
    expect(promptText(body)).toEqual({ text: `hello you\n${"x".repeat(40)}`, extraTokens: 3 + 3 + 255 });
  });

  it("counts tool properties named id, type or role, and response schemas", () => {
    const long = "x".repeat(400);
    const call = { type: "tool_use", id: "toolu_1", name: "f", input: { id: long } };
    const properties = { type: { type: "string", description: long }, role: { enum: [long] } };
    const body = {
      messages: [{ role: "assistant", content: [call] }],
      tools: [{ input_schema: { type: "object", properties } }],
      output_config: { format: { type: "json_schema", schema: { description: long } } },
    };
    expect(estimatePromptTokens(body)).toBe(3 + 3 + 1 + 4 * 100);
  });

  it("learns a model's completion tokens", () => {
    const usageEstimator = createUsageEstimator();
    expect(usageEstimator.completionTokens("m")).toBe(50);
    usageEstimator.learn("m", { promptTokens: 200, completionTokens: 10 }, 100);
    expect(usageEstimator.completionTokens("m")).toBe(10);
    expect(usageEstimator.promptTokens("m", 50)).toBe(100);
  });

  it("counts with the o200k tokenizer, long texts in chunks", async () => {
    const produced = createGeneratedText(createTokenizer());
    expect(await createTokenizer().count(["hello world", ""])).toEqual([2, 0]);
    for (let part = 0; part < 20; part++) produced.add("hello world ".repeat(1_000));
    expect(await produced.tokens()).toBeGreaterThan(39_000);
  });

  it("estimates a stream of single words as the same text in one piece, before and after a sample", async () => {
    const text = "It is a truth universally acknowledged, that a single man in possession of a good fortune. ".repeat(
      20,
    );
    let take = (_tokens: number): void => undefined;
    const sample = (_text: string, taker: (tokens: number) => void): void => void (take = taker);
    const produced = createGeneratedText({ count: async () => [], sample });
    for (const word of text.split(/(?<= )/)) produced.add(word);
    expect(produced.estimateTokens()).toBe(estimateTokens(text));
    produced.refine();
    const [tokens = 0] = await createTokenizer().count([text.slice(-1_000)]);
    take(tokens);
    const [exact = 0] = await createTokenizer().count([text]);
    expect(produced.estimateTokens() / exact).toBeCloseTo(1, 1);
  });

  it.each([1, 3, 30])("estimates a token for each short word before a sample, in parts of %d words", (wordsAPart) => {
    const produced = createGeneratedText({ count: async () => [], sample: () => undefined });
    const words = Array.from({ length: 90 }, (_, index) => [" it", " is", " so"][index % 3] ?? "");
    for (let at = 0; at < words.length; at += wordsAPart) produced.add(words.slice(at, at + wordsAPart).join(""));
    expect(produced.estimateTokens()).toBe(90);
  });

  it("buffers little of a response that arrives faster than it is counted, and extrapolates the remainder", async () => {
    const requested: string[] = [];
    const { promise, resolve } = Promise.withResolvers<number[]>();
    const count = (texts: readonly string[]): Promise<number[]> => {
      requested.push(...texts);
      return requested.length === 1 ? promise : Promise.resolve([10]);
    };
    const produced = createGeneratedText({ count, sample: () => undefined });
    for (let part = 0; part < 100; part++) produced.add("abcd".repeat(16_384));
    produced.add("the end");
    expect(requested).toHaveLength(1);
    // Half of a chunk's quick estimate, so everything that was skipped counts half.
    resolve([8_192]);
    expect(await produced.tokens()).toBe(8_192 + 10 + Math.round((99 * 16_384 * (8_192 + 10)) / (16_384 + 7 / 4)));
    expect(requested).toEqual(["abcd".repeat(16_384), "the end"]);
  });

  it("stops the idle tokenizer thread and restarts it on demand", async () => {
    const tokenizer = createTokenizer(20);
    await tokenizer.count(["hello"]);
    await expect.poll(() => tokenizer.isRunning()).toBe(false);
    expect(await tokenizer.count(["hello world"])).toEqual([2]);
  });
});

describe("usage publisher", () => {
  const deadLetters = { keep: () => undefined };
  const payloadBytesMax = () => 500_000;

  it("sends several records per message", async () => {
    const sent: string[] = [];
    const publisher = createUsagePublisher({
      publish: async (payload) => void sent.push(payload),
      payloadBytesMax,
      spool: spoolAt(freshFolder(), "a"),
      deadLetters,
      source: "relay",
      log,
    });
    for (const id of ["1", "2", "3"]) publisher.add(record(id));
    await publisher.stop();
    expect(sent).toHaveLength(1);
    expect(getIds(sent)).toEqual(["1", "2", "3"]);
  });

  it("spools records while NATS is down and sends them in order, exactly once, after it recovers", async () => {
    const sent: string[] = [];
    let unavailable = true;
    const publish = async (payload: string): Promise<void> => {
      if (unavailable) throw new Error("away");
      sent.push(payload);
    };
    const publisher = createUsagePublisher({
      publish,
      payloadBytesMax,
      spool: spoolAt(freshFolder(), "a"),
      deadLetters,
      source: "relay",
      log,
    });
    publisher.add(record("1"));
    await vi.waitFor(() => expect(publisher.spooledBytes()).toBeGreaterThan(0));
    publisher.add(record("2"));
    unavailable = false;
    await vi.waitFor(() => expect(getIds(sent)).toEqual(["1", "2"]), 5_000);
    await vi.waitFor(() => expect(publisher.spooledBytes()).toBe(0));
    await publisher.stop();
  });

  it("reports when the spool limit is reached", () => {
    const spool = new Spool({ root: freshFolder(), owner: "a", bytesMax: 10, log });
    expect(spool.isFull()).toBe(false);
    spool.append("0123456789");
    expect(spool.isFull()).toBe(true);
  });
});

describe("fail-open mode", () => {
  it("admits no call when closed, and known balances up to the cap when open", () => {
    const closed = createFailOpenLedger({ mode: "closed", cap: 100 });
    closed.remember(1, 1000);
    expect(closed.admits(1, 1)).toBe(false);
    const open = createFailOpenLedger({ mode: "open", cap: 100 });
    expect(open.admits(1, 1)).toBe(false);
    open.remember(1, 1000);
    expect([open.admits(1, 60), open.admits(1, 60), open.admits(1, 40)]).toEqual([true, false, true]);
  });
});
