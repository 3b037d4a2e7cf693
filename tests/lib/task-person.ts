import type { ConsoleClient } from "./console-client.ts";
import type { Shop } from "./shop.ts";
import type { World } from "./world.ts";

/** Initial balance of each user, and budget of the key. */
export const START = 10_000_000;

type Answer = { readonly status: number; readonly body: Record<string, unknown> };
/** A user who submits image and music tasks with a key of their own. */
export type Person = {
  readonly client: ConsoleClient;
  readonly tokenId: number;
  readonly key: string;
  readonly call: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;
};

export async function newPerson(
  { world, shop }: { world: World; shop: Shop },
  quota = START,
  token: Record<string, unknown> = {},
): Promise<Person> {
  const { client } = await shop.person(quota);
  const { key, id } = await shop.token({ remain_quota: START, ...token }, client);
  const call: Person["call"] = async (method, path, body, headers = { "mj-api-secret": key }) => {
    const answer = await fetch(`${world.relayUrl}${path}`, {
      method,
      headers: { "content-type": "application/json", ...headers },
      signal: AbortSignal.timeout(20_000),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  return { client, key, tokenId: id, call };
}

export const bearer = ({ key }: Person) => ({ authorization: `Bearer ${key}` });
export const balanceOf = async ({ client }: Person): Promise<number> =>
  (await client.get<{ quota: number }>("/api/user/self")).quota;
export const leftOf = async ({ client, tokenId }: Person): Promise<number> =>
  (await client.get<{ remain_quota: number }>(`/api/token/${tokenId}`)).remain_quota;
export const rowsOf = ({ client }: Person, type: number) =>
  client.get<{ items: { model_name: string; quota: number; content: string; other: string }[]; total: number }>(
    "/api/log/self",
    { p: 1, page_size: 50, type },
  );
export const refundsOf = ({ client }: Person) =>
  client.get<{ total: number; amount: number }>("/api/ledger/self", { p: 1, page_size: 10, kind: "refund" });
export const drawn = ({ client }: Person) =>
  client.get<{ items: Record<string, unknown>[]; total: number }>("/api/mj/self", { paged: true });
