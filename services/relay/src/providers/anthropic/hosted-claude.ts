import type { Json } from "../../core/chat/chat.ts";
import { asObject } from "../../core/chat/json.ts";
import type { Target } from "../contract/provider.ts";
import { betaNames, modelHeaders } from "./anthropic-headers.ts";

/** Which of Anthropic's betas a platform that hosts its models has, without the days they began. */
export type HostedBetas = {
  readonly known: ReadonlySet<string>;
  /** Betas that have another name there. */
  readonly renamed: Readonly<Record<string, string>>;
};

/** Anthropic's betas end in the day they began. */
const DATED = /^(.+)-\d{4}-?\d{2}-?\d{2}$/;

/**
 * The betas of both sides. A caller's that the platform does not have would fail the whole call ("invalid beta flag", "Unexpected
 * value(s)"), and clients such as Claude Code send a dozen with each: those are left out. What the operator set for the model goes
 * out as it is.
 */
export function hostedBetas(target: Target, { known, renamed }: HostedBetas): string[] {
  const beta = "anthropic-beta";
  const given = betaNames(target.callerHeaders[beta]).map((name) => renamed[name] ?? name);
  const kept = given.filter((name) => known.has(DATED.exec(name)?.[1] ?? "") || !DATED.test(name));
  return [...new Set([...kept, ...betaNames(modelHeaders(target)[beta])])];
}

const CACHE_FIELDS: ReadonlySet<string> = new Set(["type", "ttl"]);

/** A block or tool without what platforms refuse in it ("Extra inputs are not permitted"); the very same where there is nothing. */
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

/** A body without what only Anthropic itself takes inside of blocks and tools. */
export function hostedBody(body: Json): Json {
  const cleaned = ["system", "messages", "tools"].flatMap((name) =>
    body[name] === undefined ? [] : [[name, cleanBlocks(body[name])] as const],
  );
  return { ...body, ...Object.fromEntries(cleaned) };
}
