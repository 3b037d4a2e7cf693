import { Metadata, type ServiceError, status, type StatusObject } from "@grpc/grpc-js";
import { ERRORS, isErrorCode } from "@turnpike/contract/errors";
import { AppError } from "../errors/app-error.ts";

const CODE_KEY = "x-error-code";
const PARAMS_KEY = "x-error-params-bin";

/** An AppError as gRPC sends it: status by the registry, code and params in the trailers, no internal text. */
export function toStatus(error: AppError): Partial<StatusObject> {
  const metadata = new Metadata();
  metadata.set(CODE_KEY, error.code);
  metadata.set(PARAMS_KEY, Buffer.from(JSON.stringify(error.params)));
  return { code: ERRORS[error.code].grpc, details: error.code, metadata };
}

/** grpc-js reports this when a value does not fit its field, such as a number above 32 bits: nothing was sent. */
const NOT_WRITABLE = "Request message serialization failure";

/**
 * The AppError behind a failed call; a transport failure (no code in the trailers) is `unavailable`, a bug there is `internal`, a
 * request that could not be written is `invalid_input`.
 */
export function fromServiceError(error: ServiceError): AppError {
  const code = error.metadata?.get(CODE_KEY)[0]?.toString() ?? "";
  if (error.code === status.INTERNAL && error.details.startsWith(NOT_WRITABLE)) {
    const detail = error.details.slice(NOT_WRITABLE.length).replace(/^:\s*/, "");
    return new AppError("invalid_input", error.details, { cause: error, params: { detail } });
  }
  if (!isErrorCode(code))
    return new AppError("unavailable", `call failed: ${error.code} ${error.details}`, { cause: error });
  const params = error.metadata.get(PARAMS_KEY)[0];
  return new AppError(code, `call returned ${code}`, {
    cause: error,
    ...(params === undefined ? {} : { params: JSON.parse(params.toString()) as Record<string, string> }),
  });
}

/** Whether a call failed because the service's version does not have the rpc. */
export function isUnimplemented(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : undefined;
  return cause instanceof Error && "code" in cause && cause.code === status.UNIMPLEMENTED;
}
