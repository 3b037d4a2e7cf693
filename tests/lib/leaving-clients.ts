import { expect } from "vitest";
import type { TestSiteWorld } from "./test-site-world.ts";

/** A call of the model API. */
export type Sent = { readonly path: string; readonly body: Record<string, unknown> };

/** Clients that disconnect in the middle of their calls; each has a user of its own with this credit. */
export function createLeavingClients(at: TestSiteWorld, credit: number) {
  async function caller() {
    const user = await at.testSite.createUser(credit);
    const { key } = await at.testSite.token({ unlimited_quota: true }, user.client);
    const spent = async (): Promise<number> =>
      credit - (await at.testSite.root.get<{ quota: number }>(`/api/user/${user.id}`)).quota;
    const row = async () => (await at.testSite.logs({ username: user.username, type: 2 })).items[0];
    return { key, spent, row };
  }

  /** Sends a call and disconnects once `until` resolves; it receives the response's head and first bytes. */
  async function sendAndLeave(
    key: string,
    { path, body }: Sent,
    until: (response: Promise<Response>) => Promise<unknown>,
  ) {
    const leaving = new AbortController();
    const response = fetch(at.world.relayUrl + path, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "x-api-key": key, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: leaving.signal,
    });
    response.catch(() => undefined);
    await until(response);
    leaving.abort();
  }

  /** Until upstream has the call. */
  const isReceived = async (): Promise<void> => {
    await expect.poll(() => at.upstream.calls.at(-1)?.outcome, { interval: 5, timeout: 5_000 }).toBe("open");
  };
  const firstBytes = async (response: Promise<Response>): Promise<void> => {
    await (await response).body?.getReader().read();
  };

  return { caller, sendAndLeave, isReceived, firstBytes };
}
