import { AppError } from "../errors/app-error.ts";
import type { CallContext } from "../grpc/context.ts";
import { isMongoUnavailable } from "./mongo.ts";

type Rpc = (request: never, context: CallContext) => Promise<unknown>;

type IsPassing = (error: unknown) => boolean;

async function guarded(run: () => Promise<unknown>, context: CallContext, isPassing: IsPassing): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    if (!isPassing(error)) throw error;
    context.log.warn({ err: error }, "MongoDB is unavailable");
    throw new AppError("unavailable", "MongoDB is unavailable", { cause: error });
  }
}

/**
 * Wraps RPCs to return `unavailable` instead of `internal` while MongoDB is down. `isPassing` recognises further
 * transient failures.
 */
export function withStoreErrors<Rpcs extends object>(rpcs: Rpcs, isPassing: IsPassing = isMongoUnavailable): Rpcs {
  const entries = Object.entries(rpcs as Record<string, Rpc>).map(
    ([name, rpc]) =>
      [
        name,
        (request: never, context: CallContext) => guarded(() => rpc(request, context), context, isPassing),
      ] as const,
  );
  return Object.fromEntries(entries) as Rpcs;
}
