import { Redis } from "ioredis";
import type { World } from "./world.ts";

/** True once no call has an open hold or waits to be posted: billing has caught up. */
export async function isSettled(world: Pick<World, "redisUrl" | "namespace">): Promise<boolean> {
  const redis = new Redis(world.redisUrl);
  const prefix = world.namespace === "" ? "" : `${world.namespace}:`;
  const open = await redis.keys(`${prefix}open:*`);
  redis.disconnect();
  return open.length === 0;
}
