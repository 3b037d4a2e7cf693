import { afterAll, beforeAll, expect, it } from "vitest";
import { useTestSite } from "../../lib/test-site-world.ts";
import { startStatefulContainers, type StatefulContainers } from "../../lib/upstreams/stateful-containers.ts";

type Json = Record<string, unknown>;
type Received = { readonly status: number; readonly container: unknown; readonly file: unknown; readonly text: string };

const MODEL = "claude-with-containers";
const TURNS = 5;
const TOOLS = [{ type: "code_execution_20250825", name: "code_execution" }];
const at = useTestSite({ relayWorkers: 2 });
let accounts: StatefulContainers[];
let key: string;

const readFirst = (text: string, pattern: RegExp): string | undefined => pattern.exec(text)?.[1];

async function send(fields: Json, asKey = key): Promise<Received> {
  const response = await fetch(`${at.world.relayUrl}/v1/messages`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": asKey, "anthropic-version": "2023-06-01" },
    body: JSON.stringify({ model: MODEL, max_tokens: 50, messages: [{ role: "user", content: "go" }], ...fields }),
  });
  const text = await response.text();
  const container = readFirst(text, /"container":\{"id":"([^"]+)"/);
  return { status: response.status, container, file: readFirst(text, /"file_id":"([^"]+)"/), text };
}

const upload = (file: unknown) => ({
  tools: TOOLS,
  messages: [{ role: "user", content: [{ type: "container_upload", file_id: file }] }],
});

beforeAll(async () => {
  accounts = await Promise.all([startStatefulContainers(), startStatefulContainers()]);
  const options = { fallback_input_ratio: "1", fallback_completion_ratio: "1", fallback_pricing_enabled: "true" };
  for (const [name, value] of Object.entries(options)) await at.testSite.root.put("/api/option/", { key: name, value });
  for (const [index, { url }] of accounts.entries()) {
    const channel = { type: 14, name: `claude-${index}`, key: "k", models: MODEL, group: "default", base_url: url };
    await at.testSite.root.post("/api/channel/", channel);
  }
  ({ key } = await at.testSite.token());
  const isRouted = async () => (await send({})).status === 200 || undefined;
  await at.testSite.eventually("routing", 20_000, isRouted);
});
afterAll(async () => {
  await Promise.all((accounts ?? []).map((account) => account.stop()));
});

it.each([false, true])("reaches the account that keeps its container and files, streamed: %s", async (stream) => {
  const servedBefore = accounts.map(({ received }) => received.length);
  await Promise.all(
    Array.from({ length: 12 }, async () => {
      let last = await send({ tools: TOOLS, stream });
      for (let turn = 1; turn < TURNS; turn++) {
        expect(last.text).toContain(String.raw`the \"container\" is ready`);
        expect(accounts.some(({ knows }) => knows(last.container) || knows(last.file))).toBe(false);
        const container = turn % 2 === 0 ? last.container : { id: last.container, skills: [] };
        last = await send({ ...upload(last.file), container, stream });
        expect([turn, last.status]).toEqual([turn, 200]);
      }
    }),
  );
  for (const [index, { received }] of accounts.entries())
    expect(received.length).toBeGreaterThan(servedBefore[index] ?? 0);
});

it("sends earlier results with the ids that their account knows", async () => {
  const { file } = await send({ tools: TOOLS });
  const output = { type: "bash_code_execution_output", file_id: file };
  const result = {
    type: "bash_code_execution_tool_result",
    tool_use_id: "srvtoolu_1",
    content: { type: "bash_code_execution_result", content: [output] },
  };
  const messages = [
    { role: "user", content: "go" },
    { role: "assistant", content: [result] },
    { role: "user", content: "on" },
  ];
  for (let call = 0; call < 8; call++) expect((await send({ messages })).status).toBe(200);
});

it("is not found, alike, for raw, forged and truncated ids and those of other users, before any account gets them", async () => {
  const { container, file } = await send({ tools: TOOLS });
  const stranger = await at.testSite.createUser(1_000_000_000);
  const { key: strangersKey } = await at.testSite.token({}, stranger.client);
  const received = accounts.map((account) => account.received.length);
  const own = [...accounts[0]!.received, ...accounts[1]!.received].find(({ container: id }) => typeof id === "string");
  const refused = [
    await send({ container: own?.["container"] }),
    await send({ container: `${String(container)}A` }),
    await send({ container: String(container).slice(0, -4) }),
    await send({ container }, strangersKey),
    await send(upload(`${String(file)}A`)),
    await send(upload(file), strangersKey),
  ];
  expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 404));
  for (const { text } of refused) expect(text).toMatch(/(container|messages\[0\]\.content\[0\]\.file_id): not found/);
  expect(accounts.map((account) => account.received.length)).toEqual(received);
});

it("leaves fields of the callers' tools as they are", async () => {
  const input = { container: "mine", file_id: "mine" };
  const messages = [
    { role: "user", content: "go" },
    { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: "open", input }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "done" }] },
  ];
  await send({ tools: TOOLS, messages });
  const sent = accounts.flatMap(({ received }) => received).map((body) => JSON.stringify(body));
  expect(sent.some((text) => text.includes(JSON.stringify(input)))).toBe(true);
});
