import type { UsageRecord } from "@turnpike/shared/events/relay";
import { getLastChannel, type RelayCall } from "../../core/call/relay-call.ts";
import type { RelayError } from "../../core/errors/relay-error.ts";
import { getRecordFields, type PostedCall } from "./log-row-fields.ts";
import { getAdminInfo, getRoute, getSession, getTrace, mappedModel } from "./usage-record.ts";

/** Upstream codes are any text; longer ones are no codes. */
const CODE_LENGTH_MAX = 64;

const toCode = (error: RelayError): string => (error.upstream?.code ?? error.code).slice(0, CODE_LENGTH_MAX);

type Failure = {
  readonly call: PostedCall;
  /** `-e0` for the call itself, `-e1` and on for its attempts. */
  readonly index: number;
  /** What the owner of the call sees. */
  readonly error: RelayError;
  /** Failed calls of the user that were not recorded before this one. */
  readonly omitted: number;
  readonly other: Readonly<Record<string, unknown>>;
  readonly nowMs: number;
};

/** A row of type 6; its cost is zero. */
function toErrorRecord({ call, index, error, omitted, other, nowMs }: Failure): UsageRecord {
  const details = {
    error_type: error.upstream?.type ?? "turnpike_error",
    error_code: toCode(error),
    status_code: error.status,
    use_time_ms: Math.max(0, nowMs - call.startedAtMs),
    ...(omitted > 0 ? { omitted_failures: omitted } : {}),
    ...other,
  };
  return {
    ...getRecordFields(call, nowMs),
    requestId: `${call.requestId}-e${index}`,
    type: 6,
    promptTokens: 0,
    completionTokens: 0,
    quota: 0,
    content: error.message,
    errorCode: toCode(error),
    errorStatus: error.status,
    other: JSON.stringify(details),
  };
}

/**
 * The log row of a failed attempt. Where upstream's errors are hidden from callers, the row holds
 * `shown`, and the error itself is in the part that only administrators see.
 */
export function attemptRecord(input: {
  readonly call: RelayCall;
  readonly error: RelayError;
  readonly shown: RelayError;
  readonly isRetried: boolean;
  readonly omitted: number;
  readonly nowMs: number;
}): UsageRecord {
  const { call, error, shown, isRetried, omitted, nowMs } = input;
  const channel = getLastChannel(call);
  const other = {
    channel_id: channel?.id ?? 0,
    channel_name: channel?.name ?? "",
    channel_type: channel?.type ?? 0,
    ...(isRetried ? { is_retried: true } : {}),
    ...mappedModel(call),
    ...getSession(call),
    ...getRoute(call),
    admin_info: { ...getAdminInfo(call), ...(shown === error ? {} : { error: error.message }) },
  };
  return {
    ...toErrorRecord({
      call,
      index: (call.route?.earlierAttempts ?? 0) + call.tried.length,
      error: shown,
      omitted,
      other,
      nowMs,
    }),
    ...getTrace(call),
  };
}

/** The log row of a call that was refused without an upstream. */
export function refusalRecord(input: {
  readonly call: PostedCall;
  readonly sessionId: string | undefined;
  readonly error: RelayError;
  readonly omitted: number;
  readonly nowMs: number;
}): UsageRecord {
  const { sessionId, ...failure } = input;
  const other = sessionId === undefined ? {} : { session_id: sessionId };
  return toErrorRecord({ ...failure, index: 0, other });
}
