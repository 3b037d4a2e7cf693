import type { Json } from "../../core/chat/chat.ts";
import { refuseThread } from "../../core/vendors/anthropic-thread.ts";
import { type HostedBetas, hostedBetas, hostedBody } from "../formats/anthropic/hosted-claude.ts";
import type { Target } from "../contract/target.ts";

const BODY_VERSION = "bedrock-2023-05-31";

/** docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages-request-response.html */
const BETAS: HostedBetas = {
  known: new Set([
    "compact",
    "computer-use",
    "context-1m",
    "context-management",
    "dev-full-thinking",
    "effort",
    "fine-grained-tool-streaming",
    "interleaved-thinking",
    "output-128k",
    "token-efficient-tools",
    "tool-examples",
    "tool-search-tool",
  ]),
  renamed: { "advanced-tool-use-2025-11-20": "tool-search-tool-2025-10-19" },
};

/**
 * Bedrock has model and stream in the URL, version and betas in the body; fields it refuses inside blocks are removed.
 * Throws invalid_request.
 */
export function toBedrock(body: Json, target: Target): Json {
  refuseThread(body);
  const { model: _model, stream: _stream, ...rest } = body;
  const betas = hostedBetas(target, BETAS);
  return {
    anthropic_version: BODY_VERSION,
    ...(betas.length === 0 ? {} : { anthropic_beta: betas }),
    ...hostedBody(rest),
  };
}
