import { afterAll, beforeAll } from "vitest";
import { testBacking } from "../lib/backing/test-backing.ts";
import { type FakeUpstream, startFakeUpstream } from "../lib/fake-upstream/fake-upstream.ts";
import { inDollars } from "../lib/charged-post.ts";
import { getRowQuota } from "../lib/row-quota.ts";
import { isSettled } from "../lib/settled.ts";
import { type LogRow, openTestSite, type TestSite } from "../lib/test-site.ts";
import { startWorld, type World } from "../lib/world.ts";
import { createConversation, type Script } from "./conversation.ts";

/** The providers behind Turnpike, each with the model that the clients request. */
export const KINDS = [
  { kind: "OpenAI", type: 1, model: "gpt-5.1" },
  { kind: "Anthropic", type: 14, model: "claude-sonnet-4-5" },
  { kind: "Gemini", type: 24, model: "gemini-2.5-pro" },
] as const;
export type Kind = (typeof KINDS)[number];

const BALANCE = 500_000_000;
const SETTLE_MS = 20_000;

type Site = { readonly world: World; readonly testSite: TestSite; readonly upstreams: readonly FakeUpstream[] };

/** Two channels for each kind, so that a call that one refuses is served by the other. */
async function addChannels({ testSite, upstreams }: Site): Promise<void> {
  for (const [index, upstream] of upstreams.entries())
    for (const { kind, type, model } of KINDS)
      await testSite.root.post("/api/channel/", {
        type,
        name: `${kind} ${index + 1}`,
        key: `key-${index + 1}`,
        base_url: upstream.url,
        models: model,
        group: "default",
        priority: 10 - index,
      });
}

/**
 * A caller with a balance and a key of its own, and the conversation that a model has with it. One task at a time uses a
 * model, so that the model identifies the calls of a task.
 */
export async function startTask({ world, testSite, upstreams }: ClientsWorld, { model }: Kind, script: Script) {
  const user = await testSite.createUser(BALANCE);
  const { key } = await testSite.token({ unlimited_quota: true }, user.client);
  const conversation = createConversation(script);
  conversations.set(model, conversation);
  const startedAtMs = Date.now();
  const getCalls = () =>
    upstreams.flatMap(({ calls }) => calls.filter((call) => call.model === model && call.atMs >= startedAtMs));
  const getServed = () => getCalls().filter(({ outcome }) => outcome === "served");
  const readRows = async (): Promise<LogRow[]> => {
    const page = { p: 1, page_size: 100, type: 2 };
    return (await user.client.get<{ items: LogRow[] }>("/api/log/self", page)).items;
  };
  return {
    key,
    conversation,
    getCalls,
    /** Log rows and spent balance once every call is posted, with what each row must cost by its own figures. */
    async readCharges() {
      const served = getServed();
      const rows = await testSite.eventually("the log rows", SETTLE_MS, async () => {
        const found = await readRows();
        return found.length >= served.length && (await isSettled(world)) ? found : undefined;
      });
      const { quota } = await user.client.get<{ quota: number }>("/api/user/self");
      return {
        served: served.length,
        rows: rows.length,
        outputTokens: rows.reduce((sum, row) => sum + row.completion_tokens, 0),
        servedTokens: served.reduce((sum, { usage }) => sum + (usage?.outputTokens ?? 0), 0),
        spent: BALANCE - quota,
        charged: rows.reduce((sum, row) => sum + row.quota, 0),
        expected: rows.reduce((sum, row) => sum + getRowQuota(row), 0),
        costs: rows.map(({ quota: charged }) => inDollars(charged)),
      };
    },
  };
}

export type Task = Awaited<ReturnType<typeof startTask>>;
export type ClientsWorld = Site;

/** The conversation of each model's latest task. */
const conversations = new Map<string, ReturnType<typeof createConversation>>();

/** A running Turnpike with two channels for each kind of provider. */
export function useClientsWorld(): ClientsWorld {
  const place = {} as { -readonly [Name in keyof Site]: Site[Name] };
  beforeAll(async () => {
    const start = (idPrefix: string) =>
      startFakeUpstream({ idPrefix, respond: (...call) => conversations.get(call[0].model)?.respond(...call) });
    const upstreams = await Promise.all([start("first"), start("second")]);
    const world = await startWorld({ backing: testBacking(), env: { GLOBAL_API_RATE_LIMIT_ENABLE: "false" } });
    Object.assign(place, { world, upstreams, testSite: await openTestSite(world, upstreams[0].url) });
    await place.testSite.root.put("/api/option/", { key: "RetryTimes", value: "1" });
    // Over a WebSocket no header reports the cost.
    await place.testSite.root.put("/api/option/", { key: "UsageCostEnabled", value: "true" });
    await addChannels(place);
  }, 120_000);
  afterAll(async () => {
    await place.world?.stop();
    await Promise.all(place.upstreams?.map((upstream) => upstream.stop()) ?? []);
  });
  return place;
}
