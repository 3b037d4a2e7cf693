import { beforeAll, describe, expect, it } from "vitest";
import { useTestSite } from "../../lib/test-site-world.ts";

const at = useTestSite({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: "false" } });

type Json = Record<string, unknown>;
const KINDS = [
  ["a custom URL", 8, "/v1/chat/completions"],
  ["a channel for OpenAI", 1, ""],
] as const;
const NAMED = "deepseek-v4-pro";
const getModels = (type: number) => [`house-${type}`, `strict-${type}`, `${NAMED}-${type}`, `picky-${type}`];
let key = "";

beforeAll(async () => {
  const models = KINDS.flatMap(([, type]) => getModels(type));
  const prices = JSON.stringify(Object.fromEntries(models.map((model) => [model, 1])));
  await at.testSite.root.put("/api/option/", { key: "ModelRatio", value: prices });
  for (const [name, type, path] of KINDS) {
    const base_url = at.upstream.url + path;
    const channel = { type, name, key: "k", base_url, models: getModels(type).join(","), group: "default" };
    await at.testSite.root.post("/api/channel/", channel);
  }
  ({ key } = await at.testSite.token());
  const isReady = async () => (await send(`${NAMED}-1`, [USER])).status === 200 || undefined;
  await at.testSite.eventually("routing", 20_000, isReady);
}, 60_000);

const USER = { role: "user", content: "Read a." };
const HISTORY = [
  USER,
  {
    role: "assistant",
    content: [
      { type: "thinking", thinking: "Read first.", signature: "" },
      { type: "tool_use", id: "call_1", name: "read", input: { path: "a" } },
    ],
  },
  { role: "user", content: [{ type: "tool_result", tool_use_id: "call_1", content: "found" }] },
];

async function send(model: string, messages: readonly Json[], stream = false) {
  const response = await fetch(`${at.world.relayUrl}/v1/messages`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": key },
    body: JSON.stringify({ model, max_tokens: 100, stream, messages }),
  });
  return { status: response.status, text: await response.text() };
}

/** The assistant turn of the latest call that upstream received. */
const getTurn = (): unknown => (at.upstream.calls.at(-1)?.body["messages"] as Json[] | undefined)?.[1];
const THINKING = { reasoning: "Read first.", text: "done" };

describe.each(KINDS)("thinking of an earlier turn behind %s", (_, type) => {
  const [house = "", strict = "", named = "", picky = ""] = getModels(type);

  it("goes back to a model whose name shows that it requires it", async () => {
    expect((await send(named, HISTORY)).status).toBe(200);
    expect(getTurn()).toMatchObject({ reasoning_content: "Read first.", tool_calls: [{ id: "call_1" }] });
  });

  it("goes back to another model once the channel returned reasoning, in the same field", async () => {
    expect((await send(house, HISTORY)).status).toBe(200);
    expect(getTurn()).not.toHaveProperty("reasoning_content");
    at.upstream.next({ model: house }, THINKING);
    expect((await send(house, [USER], true)).text).toContain("first.");
    expect((await send(house, HISTORY)).status).toBe(200);
    expect(getTurn()).toMatchObject({ reasoning_content: "Read first." });
  });

  it("goes back after a refusal that requires it", async () => {
    const message = "The `reasoning_content` in the thinking mode must be passed back to the API.";
    at.upstream.next({ model: picky }, { refuse: { status: 400, message } });
    expect((await send(picky, HISTORY)).status).toBe(400);
    expect((await send(picky, HISTORY)).status).toBe(200);
    expect(getTurn()).toMatchObject({ reasoning_content: "Read first." });
  });

  it.each([strict, named])("stays out again after a refusal that names the field: %s", async (model) => {
    at.upstream.next({ model }, THINKING);
    await send(model, [USER]);
    const refuse = { status: 400, message: "Unrecognized request argument supplied: reasoning_content" };
    at.upstream.next({ model }, { refuse });
    expect((await send(model, HISTORY)).status).toBe(400);
    expect(getTurn()).toMatchObject({ reasoning_content: "Read first." });
    expect((await send(model, HISTORY)).status).toBe(200);
    expect(getTurn()).not.toHaveProperty("reasoning_content");
  });
});
