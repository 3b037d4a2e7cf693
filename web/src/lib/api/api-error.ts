import type { TFunction } from "i18next";
import { text } from "../text/i18n-source.ts";

/**
 * A failed call. `refused`: the gateway refused it (with a code and a sentence). `http`: an error status without a
 * readable response. `unreachable`: no response. `timeout`: no response in time. `unreadable`: the response does not
 * match the contract.
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

/** Thrown by every call of the api client that fails. `message` is the gateway's sentence, in the console's language, or "". */
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

/** Whether a retry may succeed without a change by the user. */
export const isTransient = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.kind === "unreachable" || error.kind === "timeout" || (error.details.status ?? 0) >= 502);

function httpFailure(error: ApiError, t: TFunction): string {
  const { status, retryAfterSeconds } = error.details;
  if (status === 429) {
    return retryAfterSeconds === undefined
      ? t("请求过于频繁，请稍后再试")
      : t("请求过于频繁，请 {{seconds}} 秒后再试", { seconds: retryAfterSeconds });
  }
  if (status === 401) return t("未登录或登录已过期，请重新登录");
  if (status === 405) return t("本站仅作演示之用，没有服务端");
  if (status === 500) return t("服务器内部错误，请联系管理员");
  if (status === 502 || status === 503 || status === 504) return t("服务暂时不可用，请稍后重试");
  return t("错误：{{message}}", { message: error.message === "" ? String(status ?? "") : error.message });
}

const OTHER_KINDS = {
  unreachable: text("无法连接到服务器"),
  timeout: text("服务器没有及时回应，请重试"),
  unreadable: text("服务器的回应无法识别，请刷新页面后重试"),
} as const;

/** The error as a sentence for the user, in the current language. Never empty. */
export function describeError(error: unknown, t: TFunction): string {
  if (!(error instanceof ApiError)) return t("页面出现错误，请刷新后重试");
  if (error.kind === "refused") return error.message === "" ? t("操作失败，请稍后重试") : error.message;
  return error.kind === "http" ? httpFailure(error, t) : t(OTHER_KINDS[error.kind]);
}

/** The request id of the failed call in the gateway's logs, if it returned one. */
export const getRequestId = (error: unknown): string | undefined =>
  error instanceof ApiError ? error.details.requestId : undefined;
