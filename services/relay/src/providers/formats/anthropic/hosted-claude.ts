import type { Json } from "../../../core/chat/chat.ts";
import { asObject } from "../../../core/chat/json.ts";
import type { Target } from "../../contract/target.ts";
import { betaNames, modelHeaders } from "./anthropic-headers.ts";

/** The Anthropic betas available on a platform that hosts its models, without their dates. */
export type HostedBetas = {
  readonly known: ReadonlySet<string>;
  /** Betas that have another name on the platform. */
  readonly renamed: Readonly<Record<string, string>>;
};

/** Anthropic's betas end in their start date. */
const DATED = /^(.+)-\d{4}-?\d{2}-?\d{2}$/;

/**
 * Merges the betas of operator and caller. A caller's beta that the platform does not have would fail the whole call
 * ("invalid beta flag", "Unexpected value(s)"), and clients such as Claude Code send a dozen with each call: those are
 * removed. The operator's betas for the model are sent unchanged.
 */
export function hostedBetas(target: Target, { known, renamed }: HostedBetas): string[] {
  const beta = "anthropic-beta";
  const given = betaNames(target.clientHeaders[beta]).map((name) => renamed[name] ?? name);
  const kept = given.filter((name) => known.has(DATED.exec(name)?.[1] ?? "") || !DATED.test(name));
  return [...new Set([...kept, ...betaNames(modelHeaders(target)[beta])])];
}

const CACHE_FIELDS: ReadonlySet<string> = new Set(["type", "ttl"]);

/**
 * Removes the fields of a block or tool that platforms refuse ("Extra inputs are not permitted"); returns the same
 * object if there are none.
 */
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

/** Removes the fields of blocks and tools that only Anthropic itself accepts. */
export function hostedBody(body: Json): Json {
  const cleaned = ["system", "messages", "tools"].flatMap((name) =>
    body[name] === undefined ? [] : [[name, cleanBlocks(body[name])] as const],
  );
  return { ...body, ...Object.fromEntries(cleaned) };
}
