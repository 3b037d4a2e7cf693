import type { RelayError } from "../../core/errors/relay-error.ts";

const MJ_INVALID = 4;
const MJ_NO_ACCOUNT = 3;
const MJ_BANNED_WORDS = 24;
const MJ_SATURATED = 30;
const MJ_FAILED = 5;

const TASK_PATH = /^\/(?:[\w-]+\/)?mj\/|^\/suno\//;
const MJ_PATH = /^\/(?:[\w-]+\/)?mj\//;

function midjourneyCode(error: RelayError): number {
  const code = Number(error.upstream?.code);
  if (error.status === 429) return MJ_SATURATED;
  if (error.code === "sensitive_words_detected") return MJ_BANNED_WORDS;
  if (Number.isInteger(code)) return code;
  if (error.code === "invalid_request" || error.code.endsWith("_quota") || error.code === "token_quota_exhausted")
    return MJ_INVALID;
  return error.code === "no_available_channel" ? MJ_NO_ACCOUNT : MJ_FAILED;
}

const writeMidjourneyError = (error: RelayError, requestId: string) => ({
  description: `${error.message} (request id: ${requestId})`,
  type: error.upstream ? "upstream_error" : "turnpike_error",
  code: midjourneyCode(error),
});

const writeSunoError = (error: RelayError, requestId: string) => ({
  code: error.upstream?.code ?? error.code,
  message: `${error.message} (request id: ${requestId})`,
  data: null,
});

/** The error format of image and music task callers; undefined for other paths. */
export function taskErrorForm(path: string): ((error: RelayError, requestId: string) => unknown) | undefined {
  if (!TASK_PATH.test(path)) return undefined;
  return MJ_PATH.test(path) ? writeMidjourneyError : writeSunoError;
}
