import type { ConsoleClient } from "./console-client.ts";
import type { TestSite } from "./test-site.ts";
import type { World } from "./world.ts";

/** Initial balance of each user, and budget of the key. */
export const START = 10_000_000;

type TaskResponse = { readonly status: number; readonly body: Record<string, unknown> };
/** A user who submits image and music tasks with a key of their own. */
export type TestUser = {
  readonly client: ConsoleClient;
  readonly tokenId: number;
  readonly key: string;
  readonly call: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<TaskResponse>;
};

export async function newUser(
  { world, testSite }: { world: World; testSite: TestSite },
  quota = START,
  token: Record<string, unknown> = {},
): Promise<TestUser> {
  const { client } = await testSite.createUser(quota);
  const { key, id } = await testSite.token({ remain_quota: START, ...token }, client);
  const call: TestUser["call"] = async (method, path, body, headers = { "mj-api-secret": key }) => {
    const response = await fetch(`${world.relayUrl}${path}`, {
      method,
      headers: { "content-type": "application/json", ...headers },
      signal: AbortSignal.timeout(20_000),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  return { client, key, tokenId: id, call };
}

export const bearer = ({ key }: TestUser) => ({ authorization: `Bearer ${key}` });
export const getBalance = async ({ client }: TestUser): Promise<number> =>
  (await client.get<{ quota: number }>("/api/user/self")).quota;
export const getLeft = async ({ client, tokenId }: TestUser): Promise<number> =>
  (await client.get<{ remain_quota: number }>(`/api/token/${tokenId}`)).remain_quota;
export const getRows = ({ client }: TestUser, type: number) =>
  client.get<{ items: { model_name: string; quota: number; content: string; other: string }[]; total: number }>(
    "/api/log/self",
    { p: 1, page_size: 50, type },
  );
export const getRefunds = ({ client }: TestUser) =>
  client.get<{ total: number; amount: number }>("/api/ledger/self", { p: 1, page_size: 10, kind: "refund" });
export const drawn = ({ client }: TestUser) =>
  client.get<{ items: Record<string, unknown>[]; total: number }>("/api/mj/self", { paged: true });
