import type { BackingName, Tell } from "./backing-kind.ts";
import { type FindOptions, findBacking, type FoundBacking, withoutPassword } from "./find-backing.ts";
import { mongodb } from "./mongodb.ts";
import { nats } from "./nats.ts";
import { redis } from "./redis.ts";

const KINDS = [mongodb, redis, nats] as const;

const ORIGINS = {
  environment: "from the environment",
  shared: "already running",
  own: "run by this program",
} as const;

export type Backings = {
  readonly mongodbUrl: string;
  readonly redisUrl: string;
  readonly natsUrl: string;
  readonly found: Readonly<Record<BackingName, FoundBacking>>;
  /** Stops the servers this program runs. */
  stop(): Promise<void>;
};

export function describeBackings(backings: Backings, tell: Tell): void {
  for (const kind of KINDS) {
    const { url, origin } = backings.found[kind.name];
    tell(`${kind.label}: ${withoutPassword(url)} (${ORIGINS[origin]})`);
  }
}

/** Finds all three backing services concurrently; if one is unavailable, stops those started meanwhile. */
export async function findAllBackings(options: FindOptions): Promise<Backings> {
  const results = await Promise.allSettled(KINDS.map((kind) => findBacking(kind, options)));
  const found = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const stop = async (): Promise<void> => {
    await Promise.all(found.flatMap(({ server }) => (server ? [server.stop()] : [])));
  };
  const failures = results.flatMap((result) => (result.status === "rejected" ? [result.reason as Error] : []));
  const [first, ...others] = failures;
  const [atMongodb, atRedis, atNats] = found;
  if (first) {
    await stop();
    for (const other of others) options.tell(other.message);
    throw first;
  }
  if (!atMongodb || !atRedis || !atNats) throw new Error("a backing service is neither found nor missing");
  return {
    mongodbUrl: atMongodb.url,
    redisUrl: atRedis.url,
    natsUrl: atNats.url,
    found: { mongodb: atMongodb, redis: atRedis, nats: atNats },
    stop,
  };
}
