import type { BackingKind, BackingName } from "./backing-kind.ts";
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

export type FindAllOptions = FindOptions & {
  /** Receives each service as soon as it is ready. */
  readonly onFound?: (name: BackingName, found: FoundBacking) => void;
};

export type Backings = {
  readonly mongodbUrl: string;
  readonly redisUrl: string;
  readonly natsUrl: string;
  readonly found: Readonly<Record<BackingName, FoundBacking>>;
  /** Stops the servers this program runs. */
  stop(): Promise<void>;
};

/** One line about a backing service that is ready. */
export function describeBacking(name: BackingName, { url, origin }: FoundBacking): string {
  const label = KINDS.find((kind) => kind.name === name)?.label ?? name;
  return `${label} ready: ${withoutPassword(url)} (${ORIGINS[origin]})`;
}

/** Finds all three backing services concurrently; if one is unavailable, stops those started meanwhile. */
export async function findAllBackings(options: FindAllOptions): Promise<Backings> {
  const findOne = async (kind: BackingKind): Promise<FoundBacking> => {
    const found = await findBacking(kind, options);
    options.onFound?.(kind.name, found);
    return found;
  };
  const results = await Promise.allSettled(KINDS.map(findOne));
  const found = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const stop = async (): Promise<void> => {
    await Promise.all(found.flatMap(({ server }) => (server ? [server.stop()] : [])));
  };
  const failures = results.flatMap((result) => (result.status === "rejected" ? [result.reason as Error] : []));
  const [first, ...others] = failures;
  const [atMongodb, atRedis, atNats] = found;
  if (first) {
    await stop();
    for (const other of others) options.report(other.message);
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
