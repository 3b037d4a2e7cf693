import type { AccountClient } from "./account-client.ts";

const BEAT_MS = 3_000;
const FIRST_BEAT_RETRY_MS = 200;

/**
 * Says in Redis that this process lives. The first beat is tried until it is taken: calls of a relay that nobody has ever heard of
 * would be booked an hour late if it died. A later one that is missed is harmless: the janitor waits for several.
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
