import {
  type CoverageRow,
  type CoverageTable,
  converted,
  everywhere,
  refused,
  toValueRows,
} from "../../sdk-coverage/coverage-table.ts";
import { getResponse } from "./response-bodies.ts";

const UNION = { declarations: "openai-responses", type: "ResponseError", path: ["code"], members: "values" } as const;

/** Codes whose failures any channel would repeat. */
const BAD_CALL = everywhere(refused("400 with the code: no other channel would serve the call"));
const BAD_IMAGE = everywhere(refused("400 with the code: no other channel could read the image"));
const OF_PROVIDER = everywhere(refused("502 with the code, once no other channel serves the call"));

/** The codes of a response that failed, after the call was accepted. */
export const FAILED_RESPONSES: CoverageTable = {
  title: "Responses: codes of failed responses",
  dialect: "openai-responses",
  union: UNION,
  trial: {
    kind: "response",
    without: getResponse(),
    place: (code: string) =>
      getResponse({
        status: "failed",
        output: [],
        error: {
          code,
          message: code === "rate_limit_exceeded" ? "Rate limit. Please try again in 1.5s." : "It failed.",
        },
      }),
  },
  rows: {
    server_error: { example: "server_error", ...OF_PROVIDER },
    rate_limit_exceeded: {
      example: "rate_limit_exceeded",
      ...everywhere(refused("429 with the wait, once no other channel serves the call")),
    },
    vector_store_timeout: { example: "vector_store_timeout", ...OF_PROVIDER },
    data_residency_mismatch: { example: "data_residency_mismatch", ...OF_PROVIDER },
    ...toValueRows(["invalid_prompt", "bio_policy", "image_content_policy_violation"], BAD_CALL),
    ...toValueRows(
      [
        "invalid_image",
        "invalid_image_format",
        "invalid_base64_image",
        "invalid_image_url",
        "invalid_image_mode",
        "image_too_large",
        "image_too_small",
        "image_parse_error",
        "image_file_too_large",
        "image_file_not_found",
        "unsupported_image_media_type",
        "empty_image_file",
        "failed_to_download_image",
      ],
      BAD_IMAGE,
    ),
  },
};

/** The status and the type with which OpenAI refuses a call. */
function getRefusal(code: string): { readonly status: number; readonly type: string } {
  if (code === "server_error") return { status: 500, type: "server_error" };
  if (code === "rate_limit_exceeded") return { status: 429, type: "requests" };
  return { status: 400, type: "invalid_request_error" };
}

const refuse = (code: string | null, { status, type } = getRefusal(code ?? "")) => ({
  status,
  body: { error: { message: "No.", type, param: null, code } },
});

const AS_INVALID = {
  "openai-chat": converted("the same status, type and code"),
  "anthropic-messages": converted("400 `invalid_request_error` with the same text"),
  gemini: converted("400 `INVALID_ARGUMENT` with the same text"),
};
const AS_FILTERED = {
  ...AS_INVALID,
  "anthropic-messages": converted("400 `invalid_request_error` that names the content filtering policy"),
};
const OTHERS: Readonly<Record<string, Omit<CoverageRow, "example">>> = {
  server_error: {
    without: refuse(null, { status: 400, type: "invalid_request_error" }),
    "openai-chat": converted("500 with the same type and code"),
    "anthropic-messages": converted("500 `api_error`"),
    gemini: converted("500 `INTERNAL`"),
  },
  rate_limit_exceeded: {
    "openai-chat": converted("429 with the same type and code"),
    "anthropic-messages": converted("429 `rate_limit_error`"),
    gemini: converted("429 `RESOURCE_EXHAUSTED`"),
  },
  invalid_prompt: AS_FILTERED,
  bio_policy: AS_FILTERED,
  image_content_policy_violation: AS_FILTERED,
};

/** The same codes where the provider refuses the call; they are compared with an error of the server. */
export const REFUSALS: CoverageTable = {
  title: "Responses: codes of refusals",
  dialect: "openai-responses",
  union: UNION,
  trial: {
    kind: "error",
    without: refuse(null, { status: 500, type: "server_error" }),
    place: (code: string) => refuse(code),
  },
  rows: Object.fromEntries(
    Object.keys(FAILED_RESPONSES.rows).map((code) => [code, { example: code, ...(OTHERS[code] ?? AS_INVALID) }]),
  ),
};
