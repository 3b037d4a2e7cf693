import { AppError } from "@turnpike/shared/errors/app-error";
import type { CallContext } from "@turnpike/shared/grpc/context";
import { isMongoUnavailable } from "@turnpike/shared/mongo/mongo";
import { mongo } from "mongoose";

type Rpc = (request: never, context: CallContext) => Promise<unknown>;

/** Codes by which MongoDB says "not now": a time limit passed, a shutdown, no primary, a cursor or transaction lost with one. */
const PASSING_CODES = new Set<unknown>([
  43, 50, 89, 91, 112, 189, 246, 251, 262, 10_107, 11_600, 11_602, 13_435, 13_436,
]);

/** True when a failure of the database is one that passes by itself, as against wrong data or a bug. */
export const isPassing = (error: unknown): boolean =>
  isMongoUnavailable(error) ||
  (error instanceof mongo.MongoError &&
    (error.hasErrorLabel("TransientTransactionError") || error.hasErrorLabel("UnknownTransactionCommitResult"))) ||
  (error instanceof mongo.MongoServerError && PASSING_CODES.has(error.code)) ||
  error instanceof mongo.MongoTopologyClosedError ||
  error instanceof mongo.MongoExpiredSessionError;

async function guarded(run: () => Promise<unknown>, context: CallContext): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    if (!isPassing(error)) throw error;
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
