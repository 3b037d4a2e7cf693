import { isMongoUnavailable } from "@turnpike/shared/mongo/mongo";
import { withStoreErrors as guardRpcs } from "@turnpike/shared/mongo/mongo-errors";
import { mongo } from "mongoose";

/** Codes by which MongoDB says "not now": a time limit passed, a shutdown, no primary, a cursor or transaction lost with one. */
const PASSING_CODES = new Set<unknown>([
  43, 50, 89, 91, 112, 189, 246, 251, 262, 10_107, 11_600, 11_602, 13_435, 13_436,
]);

/** True when a failure of the database is one that passes by itself, as against wrong data or a bug. */
export const isTransient = (error: unknown): boolean =>
  isMongoUnavailable(error) ||
  (error instanceof mongo.MongoError &&
    (error.hasErrorLabel("TransientTransactionError") || error.hasErrorLabel("UnknownTransactionCommitResult"))) ||
  (error instanceof mongo.MongoServerError && PASSING_CODES.has(error.code)) ||
  error instanceof mongo.MongoTopologyClosedError ||
  error instanceof mongo.MongoExpiredSessionError;

/** The same rpcs, which answer `unavailable` instead of `internal` while MongoDB is away or says "not now". */
export const withStoreErrors = <Rpcs extends object>(rpcs: Rpcs): Rpcs => guardRpcs(rpcs, isTransient);
