import type { ConsoleClient } from "./console-client.ts";
import type { World } from "./world.ts";

/**
 * What a test set up: one channel of each kind to an upstream, and helpers to create tokens and read the cost of calls.
 */
export type TestSite = Awaited<ReturnType<typeof openTestSite>>;

export type LogRow = {
  readonly id: number;
  readonly type: number;
  readonly username: string;
  readonly model_name: string;
  readonly token_name: string;
  readonly channel: number;
  readonly quota: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly is_stream: boolean;
  readonly group: string;
  readonly content: string;
  readonly request_id: string;
  readonly other: string;
};

/**
 * Model names served by a channel of each type in tests; each name belongs to one channel, so that the model selects
 * the channel.
 */
export const CHANNELS = [
  { type: 1, name: "openai", models: "gpt-4o,gpt-4o-mini", path: "" },
  { type: 8, name: "custom", models: "deepseek-chat", path: "/custom/v1/chat/completions" },
  { type: 14, name: "anthropic", models: "claude-3-5-sonnet-20241022", path: "" },
  { type: 24, name: "gemini", models: "gemini-2.0-flash", path: "" },
] as const;

/** A user with a balance of their own, and a client signed in as this user. */
export type TestUser = {
  readonly id: number;
  readonly username: string;
  readonly password: string;
  readonly client: ConsoleClient;
};

const POLL_MS = 50;

async function eventually<Value>(
  what: string,
  timeoutMs: number,
  read: () => Promise<Value | undefined>,
): Promise<Value> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const value = await read();
    if (value !== undefined) return value;
    if (Date.now() > deadline) throw new Error(`${what} did not happen within ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Signs in as root and connects one channel of each of the four kinds to the upstream. */
export async function openTestSite(world: World, upstreamUrl: string) {
  const root: ConsoleClient = await world.root();
  const channelIds: Record<string, number> = {};
  for (const { type, name, models, path } of CHANNELS) {
    await root.post("/api/channel/", {
      type,
      name,
      key: `up-${name}-key`,
      base_url: upstreamUrl + path,
      models,
      group: "default",
    });
  }
  const channels = await root.get<{ id: number; name: string }[]>("/api/channel/", { page_size: 100 });
  for (const { id, name } of channels) channelIds[name] = id;

  const logs = (query: Record<string, string | number> = {}) =>
    root.get<{ items: LogRow[]; total: number }>("/api/log/", { p: 1, page_size: 100, ...query });
  return {
    root,
    channelIds,
    eventually,
    /** Creates a token of the signed-in user; returns its key with the prefix and its id. */
    async token(
      fields: Record<string, unknown> = {},
      client: ConsoleClient = root,
    ): Promise<{ id: number; key: string }> {
      const made = await client.post<{ id: number; key: string }>("/api/token/", {
        name: "test",
        expired_time: -1,
        remain_quota: 1_000_000_000,
        unlimited_quota: false,
        ...fields,
      });
      return { id: made.id, key: made.key.startsWith("sk-") ? made.key : `sk-${made.key}` };
    },
    tokenQuota: async (id: number): Promise<{ remain_quota: number; used_quota: number; status: number }> =>
      root.get(`/api/token/${id}`),
    self: () =>
      root.get<{ id: number; username: string; quota: number; used_quota: number; request_count: number }>(
        "/api/user/self",
      ),
    logs,
    /** The log row of a charged call; present within two seconds unless the machine is overloaded. */
    readLogRow: (requestId: string): Promise<LogRow> =>
      eventually(
        `the log row of ${requestId}`,
        15_000,
        async () => (await logs({ request_id: requestId, type: 2 })).items[0],
      ),
    /** Creates a user with a balance of their own, signed in. */
    async createUser(quota: number): Promise<TestUser> {
      const username = `u${Math.random().toString(36).slice(2, 10)}`;
      const password = "turnpike-user-1";
      await root.post("/api/user/", { username, password, display_name: username });
      const found = await root.get<{ items: { id: number; username: string }[] }>("/api/user/search", {
        keyword: username,
        p: 1,
        page_size: 10,
      });
      const id = found.items.find((user) => user.username === username)?.id ?? 0;
      await root.put("/api/user/", { id, username, display_name: username, group: "default", quota });
      const client = world.visitor();
      await client.login(username, password);
      return { id, username, password, client };
    },
  };
}
