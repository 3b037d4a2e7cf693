import { isIP } from "node:net";
import { Redis, type RedisOptions } from "ioredis";

type SentinelOptions = Omit<RedisOptions, "replyMapping">;

/** The channel on which a sentinel announces a new primary: name, old address and port, new address and port. */
const ANNOUNCEMENTS = "+switch-master";
/** Finds a sentinel whose machine vanished. */
const KEEP_ALIVE_MS = 10_000;

/** Whether a connection leads to an address. Of a host name that is unknown. */
function leadsTo({ stream }: Redis, host: string, port: string): boolean {
  const address = stream?.remoteAddress?.replace(/^::ffff:/, "");
  return isIP(host) !== 0 && address === host && String(stream?.remotePort) === port;
}

/**
 * Replaces a connection when a sentinel announces another primary than the one that it leads to: a primary that hangs keeps
 * its connections open. A sentinel may announce a failover seconds after the others, when the old primary comes back: a
 * connection to the new one stays then, where ioredis' `failoverDetector` would interrupt it. Ends with the connection.
 */
export function watchFailovers(redis: Redis, name: string, sentinels: readonly SentinelOptions[]): void {
  let announced = "";
  const announce = (text: string): void => {
    const [master, , , host = "", port = ""] = text.split(" ");
    if (master !== name || leadsTo(redis, host, port)) return;
    const isRepeated = announced === `${host} ${port}`;
    announced = `${host} ${port}`;
    // The other sentinels announce the same while the connection is being made.
    if (isRepeated && redis.stream?.remotePort === undefined) return;
    redis.disconnect(true);
  };
  const watches = sentinels.map((options) => {
    const settings: SentinelOptions = {
      ...options,
      enableReadyCheck: false,
      maxRetriesPerRequest: null,
      keepAlive: KEEP_ALIVE_MS,
    };
    const watch = new Redis(settings);
    // The connection itself reports that no sentinel can be reached.
    watch.on("error", () => undefined);
    watch.on("message", (_channel, text: string) => announce(text));
    watch.subscribe(ANNOUNCEMENTS).catch(() => undefined);
    return watch;
  });
  redis.once("end", () => {
    for (const watch of watches) watch.disconnect();
  });
}
