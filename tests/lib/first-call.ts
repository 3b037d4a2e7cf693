import { createConsoleClient } from "./console-client.ts";
import { openTestSite } from "./test-site.ts";
import { ROOT_USER, type World } from "./world.ts";

/**
 * Makes one call through an install that was started from outside of the tests: signs in as root, connects channels to
 * the upstream, creates a token and calls the relay. Returns the quota that the call's log row has; throws if it is 0.
 */
export async function makeFirstCall(at: {
  readonly consoleUrl: string;
  readonly relayUrl: string;
  readonly upstreamUrl: string;
}): Promise<number> {
  const visitor = () => createConsoleClient(at.consoleUrl);
  const root = async () => {
    const client = visitor();
    await client.login(ROOT_USER.username, ROOT_USER.password);
    return client;
  };
  const testSite = await openTestSite({ visitor, root } as unknown as World, at.upstreamUrl);
  const { key } = await testSite.token();
  const response = await fetch(`${at.relayUrl}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "gpt-4o", messages: [{ role: "user", content: "Hello" }] }),
    signal: AbortSignal.timeout(30_000),
  });
  if (!response.ok) throw new Error(`the call failed with ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
  const { quota } = await testSite.readLogRow(String(response.headers.get("x-request-id")));
  if (quota <= 0) throw new Error("the call is not charged");
  return quota;
}
