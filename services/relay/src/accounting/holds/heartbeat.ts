import { type BackgroundLoop, createBackgroundLoop } from "@turnpike/shared/concurrency/background-loop";
import type { AccountClient } from "./account-client.ts";

const BEAT_MS = 3_000;
const RETRY = { firstMs: 200, maxMs: BEAT_MS };

/**
 * Reports to Redis that this process is alive. A failed heartbeat is retried soon: calls of a relay without any would be
 * posted an hour late if it died. The janitor tolerates several missed ones after the first.
 */
export function createHeartbeat(accounts: Pick<AccountClient, "heartbeat">): BackgroundLoop {
  const run = (): Promise<void> => accounts.heartbeat();
  return createBackgroundLoop({ task: "heartbeat", run, everyMs: BEAT_MS, backoff: RETRY });
}
