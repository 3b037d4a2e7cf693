import type { Json } from "../../chat/chat.ts";
import { asObject } from "../../chat/json.ts";
import { refuseThread } from "../../chat/kept-thread.ts";
import { betaNames, modelHeaders } from "../anthropic/anthropic-headers.ts";
import type { Target } from "../provider.ts";

const BODY_VERSION = "bedrock-2023-05-31";

/** Anthropic's betas end in the day they began. */
const DATED = /^(.+)-\d{4}-?\d{2}-?\d{2}$/;
/** Those of them that Bedrock has (docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages-request-response.html). */
const BETAS: ReadonlySet<string> = new Set([
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
]);
/** Betas that have another name at Bedrock. */
const RENAMED: Readonly<Record<string, string>> = { "advanced-tool-use-2025-11-20": "tool-search-tool-2025-10-19" };

/**
 * The betas of both sides. A caller's that Bedrock does not have would fail the whole call ("invalid beta flag"), and clients such as
 * Claude Code send a dozen with each: those are left out. What the operator set for the model goes out as it is.
 */
function betasOf(target: Target): string[] {
  const beta = "anthropic-beta";
  const given = betaNames(target.callerHeaders[beta]).map((name) => RENAMED[name] ?? name);
  const known = given.filter((name) => BETAS.has(DATED.exec(name)?.[1] ?? "") || !DATED.test(name));
  return [...new Set([...known, ...betaNames(modelHeaders(target)[beta])])];
}

const CACHE_FIELDS: ReadonlySet<string> = new Set(["type", "ttl"]);

/** A block or tool without what Bedrock refuses in it ("Extra inputs are not permitted"); the very same where there is nothing. */
function cleanBlock(value: unknown): unknown {
  const block = asObject(value);
  if (!block) return value;
  const { eager_input_streaming: eager, ...rest } = block;
  const cache = asObject(block["cache_control"]);
  const hasMore = cache && Object.keys(cache).some((name) => !CACHE_FIELDS.has(name));
  const content = cleanBlocks(block["content"]);
  if (eager === undefined && !hasMore && content === block["content"]) return block;
  const kept = hasMore && Object.fromEntries(Object.entries(cache).filter(([name]) => CACHE_FIELDS.has(name)));
  return { ...rest, ...(kept ? { cache_control: kept } : {}), ...(content === undefined ? {} : { content }) };
}

function cleanBlocks(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const blocks = (value as unknown[]).map(cleanBlock);
  return blocks.every((block, index) => block === (value as unknown[])[index]) ? value : blocks;
}

/** Bedrock has model and stream in the address, version and betas in the body; fields it refuses inside of blocks are left out. Throws invalid_request. */
export function toBedrock(body: Json, target: Target): Json {
  refuseThread(body);
  const { model: _model, stream: _stream, ...rest } = body;
  const betas = betasOf(target);
  const cleaned = ["system", "messages", "tools"].flatMap((name) =>
    rest[name] === undefined ? [] : [[name, cleanBlocks(rest[name])] as const],
  );
  return {
    anthropic_version: BODY_VERSION,
    ...(betas.length === 0 ? {} : { anthropic_beta: betas }),
    ...rest,
    ...Object.fromEntries(cleaned),
  };
}
