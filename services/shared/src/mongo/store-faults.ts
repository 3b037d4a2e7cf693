import { AppError } from "../errors/app-error.ts";
import type { CallContext } from "../grpc/context.ts";
import { isMongoUnavailable } from "./mongo.ts";

type Rpc = (request: never, context: CallContext) => Promise<unknown>;

async function guarded(run: () => Promise<unknown>, context: CallContext): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    if (!isMongoUnavailable(error)) throw error;
    context.log.warn({ err: error }, "MongoDB does not answer");
    throw new AppError("unavailable", "MongoDB does not answer", { cause: error });
  }
}

/** The same rpcs, which answer `unavailable` instead of `internal` while MongoDB is away. */
export function withStoreFaults<Rpcs extends object>(rpcs: Rpcs): Rpcs {
  const entries = Object.entries(rpcs as Record<string, Rpc>).map(
    ([name, rpc]) =>
      [name, (request: never, context: CallContext) => guarded(() => rpc(request, context), context)] as const,
  );
  return Object.fromEntries(entries) as Rpcs;
}
