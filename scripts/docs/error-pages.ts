import { ERRORS } from "../../services/contract/src/errors.ts";
import { isQuotaError, RELAY_ERRORS, type RelayErrorCode } from "../../services/relay/src/core/errors/relay-error.ts";
import { RELAY_ERROR_TEXTS } from "./error-texts.ts";
import { code, page, table } from "./markdown.ts";

const HEADS = {
  en: ["Status", "Code", "Anthropic's type", "Google's status", "Meaning and what to do"],
  zh: ["状态码", "错误码", "Anthropic 类型", "Google 状态", "含义与处理"],
} as const;

/** Every error that the model API itself returns. */
export function createModelErrorsPage(language: "en" | "zh"): string {
  const rows = Object.entries(RELAY_ERRORS)
    .toSorted(([, a], [, b]) => a.status - b.status)
    .map(([name, { status, anthropic, google }]) => [
      // Decision 056: OpenAI's clients explain a spent balance only as 429.
      isQuotaError({ code: name as RelayErrorCode }) ? `${status}, OpenAI: 429` : String(status),
      code(name),
      code(anthropic),
      code(google),
      RELAY_ERROR_TEXTS[name as RelayErrorCode][language],
    ]);
  const rest = table(HEADS[language], rows);
  return language === "en"
    ? page(
        "Error codes of the model API",
        "The gateway's own errors have `type: turnpike_error`, or `insufficient_quota` where the balance does not cover the call, and one of these codes; callers in Anthropic's or Google's dialect get the type or status of their provider. Errors of an upstream keep its status, type and text.",
        rest,
      )
    : page(
        "模型 API 错误码",
        "网关自身的错误 `type` 为 `turnpike_error`（余额不足时为 `insufficient_quota`），`code` 为下表之一；Anthropic 与 Google 格式的调用方得到对应提供商的类型或状态。上游错误保留其状态码、类型和文字。",
        rest,
      );
}

/** Every error of `/api`. */
export function createConsoleErrorsPage(): string {
  const rows = Object.entries(ERRORS).map(([name, { http, en, zh }]) => [
    code(name),
    String(http),
    en
      .replaceAll(/\{\{(\w+)\}\}/g, "<$1>")
      .replaceAll("<", "‹")
      .replaceAll(">", "›"),
    zh.replaceAll(/\{\{(\w+)\}\}/g, "‹$1›"),
  ]);
  return page(
    "Error codes of /api",
    'A refusal of `/api` is `{"success": false, "message": "…", "code": "…", "params": {…}}`. Refusals of the business rules have status 200, as clients of this family expect. ‹name› is the value of that name in `params`.',
    table(["Code", "Status", "English", "Chinese"], rows),
  );
}
