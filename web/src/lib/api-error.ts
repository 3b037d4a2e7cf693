import { ERRORS, errorMessage, isErrorCode } from "@turnpike/contract/errors";
import type { TFunction } from "i18next";
import { text } from "./i18n-source.ts";
import { currentLanguage } from "./i18n.ts";

/**
 * A call that did not succeed. `refused`: the gateway said no (with a code and a sentence). `http`: a status without an answer
 * we can read. `unreachable`: no answer came. `timeout`: none came in time. `unreadable`: the answer is not what the contract says.
 */
export type ApiErrorKind = "refused" | "http" | "unreachable" | "timeout" | "unreadable";

type Details = {
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
};

/** Thrown by every call of the api client that fails. `message` is the gateway's sentence, in Chinese or "". */
export class ApiError extends Error {
  readonly kind: ApiErrorKind;
  readonly details: Details;
  constructor(kind: ApiErrorKind, message: string, details: Details = {}) {
    super(message, { cause: details.cause });
    this.name = "ApiError";
    this.kind = kind;
    this.details = details;
  }
}

/** Whether asking again may help without anything changing on our side. */
export const isTransient = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.kind === "unreachable" || error.kind === "timeout" || (error.details.status ?? 0) >= 502);

function refusal(error: ApiError, t: TFunction): string {
  const { code, params = {}, retryAfterSeconds } = error.details;
  if (code !== undefined && isErrorCode(code)) {
    const seconds = retryAfterSeconds === undefined ? {} : { seconds: String(retryAfterSeconds) };
    const translated = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, t(value)]));
    const message = errorMessage(code, { ...seconds, ...translated }, currentLanguage());
    if (message !== "") return message;
  }
  return error.message === "" ? t("操作失败，请稍后重试") : t(error.message);
}

function httpFailure(error: ApiError, t: TFunction): string {
  const { status, retryAfterSeconds } = error.details;
  if (status === 429) {
    return retryAfterSeconds === undefined
      ? t("请求过于频繁，请稍后再试")
      : t("请求过于频繁，请 {{seconds}} 秒后再试", { seconds: retryAfterSeconds });
  }
  if (status === 401) return ERRORS.unauthenticated[currentLanguage()];
  if (status === 405) return t("本站仅作演示之用，没有服务端");
  if (status === 500) return ERRORS.internal[currentLanguage()];
  if (status === 502 || status === 503 || status === 504) return ERRORS.unavailable[currentLanguage()];
  return t("错误：{{message}}", { message: error.message === "" ? String(status ?? "") : error.message });
}

const OTHER_KINDS = {
  unreachable: text("无法连接到服务器"),
  timeout: text("服务器没有及时回应，请重试"),
  unreadable: text("服务器的回应无法识别，请刷新页面后重试"),
} as const;

/** What happened, as a sentence for a person in the language in use. Never empty. */
export function describeError(error: unknown, t: TFunction): string {
  if (!(error instanceof ApiError)) return t("页面出现错误，请刷新后重试");
  if (error.kind === "refused") return refusal(error, t);
  return error.kind === "http" ? httpFailure(error, t) : t(OTHER_KINDS[error.kind]);
}

/** The id under which the gateway's logs know the failed call, when it told one. */
export const getRequestId = (error: unknown): string | undefined =>
  error instanceof ApiError ? error.details.requestId : undefined;
