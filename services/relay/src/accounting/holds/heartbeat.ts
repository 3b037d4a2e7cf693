import type { AccountClient } from "./account-client.ts";

const BEAT_MS = 3_000;
const FIRST_BEAT_RETRY_MS = 200;

/**
 * Reports to Redis that this process is alive. The first heartbeat is retried until it succeeds: calls of a relay
 * without any heartbeat would be posted an hour late if it died. A later missed one is harmless: the janitor tolerates
 * several.
 */
export function createHeartbeat(accounts: Pick<AccountClient, "heartbeat">) {
  let timer: NodeJS.Timeout | undefined;
  const beat = async (): Promise<void> => {
    const isTaken = await accounts.heartbeat().then(
      () => true,
      () => false,
    );
    if (!isTaken && timer === undefined) setTimeout(() => void beat(), FIRST_BEAT_RETRY_MS).unref();
    else timer ??= setInterval(() => void beat(), BEAT_MS);
  };
  return {
    start: (): void => void beat(),
    stop: (): void => clearInterval(timer),
  };
}
