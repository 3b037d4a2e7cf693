import { getPrimaries, type Redis } from "./redis.ts";

const SCAN_COUNT = 1_000;

/**
 * The keys that match a pattern, without the connection's prefix, in pages: of every primary of a cluster, each once or (while
 * Redis rehashes) twice. The pattern is without the prefix, too. Throws Redis' error.
 */
export async function* scanKeys(redis: Redis, pattern: string): AsyncGenerator<readonly string[]> {
  // SCAN ignores the client's key prefix: patterns need it and results include it.
  const prefix = redis.options.keyPrefix ?? "";
  for (const primary of getPrimaries(redis)) {
    let cursor = "0";
    do {
      const [next, keys]: [string, string[]] = await primary.scan(
        cursor,
        "MATCH",
        `${prefix}${pattern}`,
        "COUNT",
        SCAN_COUNT,
      );
      yield keys.map((key) => key.slice(prefix.length));
      cursor = next;
    } while (cursor !== "0");
  }
}
