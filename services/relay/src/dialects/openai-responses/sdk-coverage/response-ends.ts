import { type CoverageTable, converted, everywhere, leftOut, refused } from "../../sdk-coverage/coverage-table.ts";
import { getResponse } from "./response-bodies.ts";

/** The statuses of a response. */
export const STATUSES: CoverageTable = {
  title: "Responses: statuses of a response",
  dialect: "openai-responses",
  union: { declarations: "openai-responses", type: "ResponseStatus", members: "values" },
  trial: {
    kind: "response",
    without: getResponse(),
    place: (status: string) =>
      getResponse({
        status,
        ...(status === "failed" ? { error: { code: "server_error", message: "It failed." } } : {}),
        ...(status === "incomplete" ? { incomplete_details: { reason: "max_output_tokens" } } : {}),
      }),
  },
  rows: {
    completed: { example: "completed", ...everywhere(leftOut("it is the state that others are compared with")) },
    incomplete: { example: "incomplete", ...everywhere(converted("the reason for which it is incomplete")) },
    failed: { example: "failed", ...everywhere(refused("502, or 400 where the call caused it; usage is charged")) },
    cancelled: {
      example: "cancelled",
      ...everywhere(converted("a response that was cut; without output it is refused with 502")),
    },
    in_progress: {
      example: "in_progress",
      ...everywhere(converted("a response that was cut; without output it is refused with 502")),
    },
    queued: {
      example: "queued",
      ...everywhere(converted("a response that was cut; without output it is refused with 502")),
    },
  },
};

/** Why a response is incomplete. */
export const INCOMPLETE_REASONS: CoverageTable = {
  title: "Responses: reasons of an incomplete response",
  dialect: "openai-responses",
  union: {
    declarations: "openai-responses",
    type: "Response",
    path: ["incomplete_details", "reason"],
    members: "values",
  },
  trial: {
    kind: "response",
    without: getResponse(),
    place: (reason: string) => getResponse({ status: "incomplete", incomplete_details: { reason } }),
  },
  rows: {
    max_output_tokens: {
      example: "max_output_tokens",
      "openai-chat": converted("`length`"),
      "anthropic-messages": converted("`max_tokens`"),
      gemini: converted("`MAX_TOKENS`"),
    },
    content_filter: {
      example: "content_filter",
      "openai-chat": converted("`content_filter`"),
      "anthropic-messages": converted("`refusal`"),
      gemini: converted("`SAFETY`"),
    },
  },
};
