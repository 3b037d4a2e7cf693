import { beforeAll, describe, expect, it } from "vitest";
import { startFakeUpstream } from "../../lib/fake-upstream/fake-upstream.ts";
import { useTestSite } from "../../lib/test-site-world.ts";

type Reply = { readonly status: number; readonly text: string; readonly headers: Headers };
type Json = Record<string, unknown>;

const [OPENAI, CLAUDE] = ["good-openai", "claude-good"];
const MESSAGES = [{ role: "user", content: "Hello." }];

const at = useTestSite();
let key: string;

async function post(path: string, body: Json, headers: Record<string, string> = {}, asKey = key): Promise<Reply> {
  const response = await fetch(at.world.relayUrl + path, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${asKey}`, ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text(), headers: response.headers };
}
const chat = (body: Json) => post("/v1/chat/completions", { messages: MESSAGES, ...body });
const setOption = (name: string, value: unknown) =>
  at.testSite.root.put("/api/option/", { key: name, value: JSON.stringify(value) });
const addChannel = (type: number, model: string, changed: Json = {}) => {
  const channel = { type, name: model, key: "k", base_url: at.upstream.url, models: model, group: "default" };
  return at.testSite.root.post("/api/channel/", { ...channel, ...changed });
};

/** Where the model after a refused one is named: per dialect, streamed and whole. */
const toRequests = (model: string, other: string): readonly (readonly [string, Json, Record<string, string>])[] => [
  ["/v1/chat/completions", { model, models: [other], messages: MESSAGES }, {}],
  ["/v1/chat/completions", { model, messages: MESSAGES, stream: true }, { "x-turnpike-fallbacks": other }],
  ["/v1/responses", { model, models: [other], input: "Hello." }, {}],
  ["/v1/completions", { model, models: [other], prompt: "Hello." }, {}],
  ["/v1/messages", { model, fallbacks: [{ model: other }], max_tokens: 50, messages: MESSAGES }, {}],
  [
    `/v1beta/models/${model}:generateContent`,
    { contents: [{ parts: [{ text: "Hello." }] }] },
    { "x-turnpike-fallbacks": other },
  ],
];

describe("model that the gateway cannot serve", () => {
  const [UNPRICED, ELSEWHERE, FAILING] = ["without-price", "of-another-group", "failing"];
  let limited: string;

  beforeAll(async () => {
    await setOption("GroupRatio", { default: 1, other: 1 });
    const failing = await startFakeUpstream();
    failing.always({}, { refuse: { status: 503 } });
    await addChannel(14, CLAUDE);
    for (const model of [OPENAI, UNPRICED]) await addChannel(1, model);
    await addChannel(1, ELSEWHERE, { group: "other" });
    await addChannel(1, FAILING, { base_url: failing.url });
    await setOption("ModelPrice", Object.fromEntries([CLAUDE, OPENAI, FAILING].map((model) => [model, 0.01])));
    await setOption("RetryTimes", 0);
    const limits = [UNPRICED, ELSEWHERE, "no-such-model", CLAUDE].join(",");
    ({ key } = await at.testSite.token());
    ({ key: limited } = await at.testSite.token({ model_limits_enabled: true, model_limits: limits }));
    await at.testSite.eventually("routing", 20_000, async () => {
      const replies = await Promise.all([CLAUDE, OPENAI, UNPRICED, ELSEWHERE, FAILING].map((model) => chat({ model })));
      return replies.map(({ status }) => status).join() === "200,200,400,503,503" || undefined;
    });
  });

  it.each([
    ["has no price", UNPRICED],
    ["is not allowed to the token", OPENAI],
    ["is not served to the group", ELSEWHERE],
    ["does not exist", "no-such-model"],
  ])("is followed by the next one where it %s, in every dialect", async (_, model) => {
    const requests = toRequests(model, CLAUDE);
    const replies = await Promise.all(requests.map(([path, body, header]) => post(path, body, header, limited)));
    expect(replies.map(({ status, text }) => (status === 200 ? 200 : text))).toEqual(replies.map(() => 200));
    for (const { headers } of replies) expect(headers.get("x-turnpike-model")).toBe(CLAUDE);
    expect(replies.map(({ headers }) => headers.get("x-turnpike-attempts"))).toEqual(replies.map(() => "2"));
  });

  it("is followed by the fallback that the site has for it", async () => {
    await setOption("ModelFallbacks", { [UNPRICED]: [CLAUDE] });
    await at.testSite.eventually("the fallbacks", 5_000, async () =>
      (await post("/v1/chat/completions", { model: UNPRICED, messages: MESSAGES }, {}, limited)).status === 200
        ? true
        : undefined,
    );
    await setOption("ModelFallbacks", {});
  });

  it("returns the error of the first model where no model of the list can serve", async () => {
    for (const [path, body, header] of toRequests(UNPRICED, ELSEWHERE)) {
      const reply = await post(path, body, header, limited);
      expect([reply.status, reply.text]).toEqual([
        400,
        expect.stringContaining(`no price is set for the model ${UNPRICED}`),
      ]);
    }
    const failing = await chat({ model: FAILING, models: [UNPRICED] });
    expect(failing.status).toBe(503);
  });
});
