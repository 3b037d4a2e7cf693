import { randomBytes } from "node:crypto";
import { type Console, createConsole, pause } from "./console.ts";
import type { Reconciliation } from "./reconciliation.ts";

const DEEPSEEK = 43;
const SPEND = 2;
const PAGE_SIZE = 100;
/** A hundred dollars at the default quota per dollar: the calls cost cents. */
const CREDIT = 50_000_000;
const POSTED_WITHIN_MS = 180_000;
const POLL_MS = 2_000;

type LogPage = { readonly items: Reconciliation["rows"]; readonly total: number };
type Found = { readonly items: readonly { readonly id: number; readonly username: string }[] };
export type TestSite = Awaited<ReturnType<typeof openSite>>;

type Removal = { readonly what: string; readonly run: () => Promise<unknown> };

/** The charged calls of a user, once that many are posted and no more appear. */
async function readRows(root: Console, username: string, calls: number): Promise<Reconciliation["rows"]> {
  const readPage = (page: number): Promise<LogPage> =>
    root.get(`/api/log/?p=${page}&page_size=${PAGE_SIZE}&type=${SPEND}&username=${username}`);
  const untilMs = Date.now() + POSTED_WITHIN_MS;
  while ((await readPage(1)).total < calls && Date.now() < untilMs) await pause(POLL_MS);
  // A call that is posted twice would appear now.
  await pause(2 * POLL_MS);
  const rows: Reconciliation["rows"][number][] = [];
  for (let page = 1; ; page++) {
    const { items, total } = await readPage(page);
    rows.push(...items);
    if (items.length === 0 || rows.length >= total) return rows;
  }
}

async function removeAll(removals: readonly Removal[], username: string): Promise<string[]> {
  const failed: string[] = [];
  for (const { what, run } of removals.toReversed())
    await run().catch((error: unknown) =>
      failed.push(`the ${what} of ${username} could not be removed: ${String(error)}`),
    );
  return failed;
}

/** What the test creates on the site; `remove` removes all of it and may be called at any time. */
export async function openSite(gatewayUrl: string, admin: { readonly username: string; readonly password: string }) {
  const root: Console = createConsole(gatewayUrl);
  await root.post("/api/user/login", admin);
  const id = randomBytes(4).toString("hex");
  const username = `installtest${id}`.slice(0, 20);
  const password = randomBytes(9).toString("base64url");
  /** A name that no other caller uses, so that no other call reaches the channel. */
  const model = `turnpike-install-test-${id}`;
  const removals: Removal[] = [];
  let userId = 0;

  return {
    model,
    /** A channel that serves the model of the test only. */
    async createChannel(baseUrl: string, key: string): Promise<void> {
      const fields = {
        type: DEEPSEEK,
        name: model,
        key,
        base_url: baseUrl,
        models: model,
        group: "default",
        auto_ban: 0,
      };
      const made = await root.post<{ id: number }>("/api/channel/", fields);
      removals.push({ what: "channel", run: () => root.delete(`/api/channel/${made.id}`) });
    },
    /** A user with a balance who may call models without a price, and the key of a token. */
    async createUser(): Promise<string> {
      await root.post("/api/user/", { username, password, display_name: username });
      const { items } = await root.get<Found>(`/api/user/search?keyword=${username}&p=1&page_size=10`);
      userId = items.find((one) => one.username === username)?.id ?? 0;
      removals.push({ what: "user", run: () => root.delete(`/api/user/${userId}`) });
      await root.put("/api/user/", { id: userId, username, display_name: username, group: "default", quota: CREDIT });
      const user = createConsole(gatewayUrl);
      await user.post("/api/user/login", { username, password });
      await user.put("/api/user/setting", { accept_unset_model_ratio_model: true });
      const token = await user.post<{ id: number; key: string }>("/api/token/", {
        name: "install test",
        unlimited_quota: true,
      });
      removals.push({ what: "token", run: () => user.delete(`/api/token/${token.id}`) });
      return token.key.startsWith("sk-") ? token.key : `sk-${token.key}`;
    },
    /** What is recorded once `calls` calls are posted, or after three minutes. */
    async readReconciliation(calls: number): Promise<Reconciliation> {
      const rows = await readRows(root, username, calls);
      const { quota, used_quota } = await root.get<{ quota: number; used_quota: number }>(`/api/user/${userId}`);
      return { rows, credited: CREDIT, balance: quota, spent: used_quota };
    },
    /** Removes everything in the opposite order; returns what could not be removed. */
    remove: () => removeAll(removals.splice(0), username),
  };
}
