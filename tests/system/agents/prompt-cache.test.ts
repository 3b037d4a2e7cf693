import { beforeAll, describe, expect, it } from "vitest";
import { useTestSite } from "../../lib/test-site-world.ts";

const MODEL = "claude-3-5-sonnet-20241022";
const at = useTestSite();
let key: string;

const FN = { name: "clock", description: "Tells the time", parameters: { type: "object", properties: {} } };
const TURNS = ["First?", "Second?", "Third?"];
const CHAT = {
  model: MODEL,
  max_tokens: 50,
  tools: [{ type: "function", function: FN }],
  messages: [
    { role: "system", content: "Be brief." },
    ...TURNS.flatMap((content) => [
      { role: "user", content },
      { role: "assistant", content: "Yes." },
    ]).slice(0, -1),
  ],
};
const RESPONSES = {
  model: MODEL,
  max_output_tokens: 50,
  instructions: "Be brief.",
  tools: [{ type: "function", ...FN }],
  input: CHAT.messages.slice(1),
};
const GEMINI = {
  systemInstruction: { parts: [{ text: "Be brief." }] },
  generationConfig: { maxOutputTokens: 50 },
  tools: [{ functionDeclarations: [FN] }],
  contents: CHAT.messages
    .slice(1)
    .map(({ role, content }) => ({ role: role === "user" ? "user" : "model", parts: [{ text: content }] })),
};

const post = async (path: string, body: object) => {
  const response = await fetch(at.world.relayUrl + path, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return {
    status: response.status,
    id: response.headers.get("x-request-id") ?? "",
    body: JSON.parse(await response.text()) as Record<string, Record<string, unknown>>,
  };
};
const countBreakpoints = (): number =>
  JSON.stringify(at.upstream.calls.at(-1)?.body).split('"cache_control"').length - 1;
const usage = { inputTokens: 2_000, cachedTokens: 1_200, cacheWriteTokens: 300, outputTokens: 10 };

const readTokens = async (kind: string): Promise<number> => {
  const labels = `channel="${at.testSite.channelIds["anthropic"]}",kind="${kind}"`;
  const line = (await at.world.metrics("relay"))
    .split("\n")
    .find((each) => each.startsWith(`turnpike_relay_channel_prompt_tokens_total{${labels}}`));
  return Number(line?.split(" ").at(-1) ?? 0);
};

const setBreakpoints = async (value: boolean): Promise<void> => {
  await at.testSite.root.put("/api/option/", { key: "claude.cache_breakpoints_enabled", value: String(value) });
  await at.testSite.eventually("the option", 15_000, async () => {
    await post("/v1/chat/completions", CHAT);
    return countBreakpoints() > 0 === value || undefined;
  });
};

beforeAll(async () => {
  ({ key } = await at.testSite.token());
});

describe("cache breakpoint for Claude", () => {
  it("is not added while the option is off", async () => {
    expect((await post("/v1/chat/completions", CHAT)).status).toBe(200);
    expect(countBreakpoints()).toBe(0);
  });

  it.each([
    ["chat", "/v1/chat/completions", CHAT],
    ["responses", "/v1/responses", RESPONSES],
    ["Gemini", `/v1beta/models/${MODEL}:generateContent`, GEMINI],
  ])(
    "follows the tools, the system prompt and the last two user turns of a %s call, and is charged",
    async (_, path, body) => {
      await setBreakpoints(true);
      const [readBefore, writtenBefore] = [await readTokens("cache_read"), await readTokens("cache_write")];
      at.upstream.always({}, { text: "It is noon.", usage });
      const { status, id } = await post(path, body);
      expect(status).toBe(200);
      const sent = at.upstream.calls.at(-1)?.body as typeof CHAT & { system: unknown };
      const marked = { cache_control: { type: "ephemeral" } };
      expect(sent).toMatchObject({
        system: [{ text: "Be brief.", ...marked }],
        tools: [{ name: "clock", ...marked }],
        messages: [
          { content: [{ text: "First?" }] },
          {},
          { content: [{ text: "Second?", ...marked }] },
          {},
          { content: [{ text: "Third?", ...marked }] },
        ],
      });
      expect(countBreakpoints()).toBe(4);
      const row = await at.testSite.readLogRow(id);
      const details = JSON.parse(row.other) as Record<string, number>;
      expect(details).toMatchObject({ cache_tokens: 1_200, cache_creation_tokens: 300 });
      const { model_ratio: ratio = 0, completion_ratio: output = 0 } = details;
      const { cache_ratio: read = 0, cache_creation_ratio: write = 0, group_ratio: group = 1 } = details;
      expect(row.quota).toBe(Math.round((500 + 1_200 * read + 300 * write + 10 * output) * ratio * group));
      expect([
        (await readTokens("cache_read")) - readBefore,
        (await readTokens("cache_write")) - writtenBefore,
      ]).toEqual([1_200, 300]);
    },
  );

  it("of the caller stays unchanged", async () => {
    await setBreakpoints(true);
    const [system, ...others] = CHAT.messages;
    const content = [{ type: "text", text: system?.content, cache_control: { type: "ephemeral", ttl: "1h" } }];
    expect(
      (await post("/v1/chat/completions", { ...CHAT, messages: [{ role: "system", content }, ...others] })).status,
    ).toBe(200);
    expect(at.upstream.calls.at(-1)?.body).toMatchObject({ system: content });
    expect(countBreakpoints()).toBe(1);
  });
});
