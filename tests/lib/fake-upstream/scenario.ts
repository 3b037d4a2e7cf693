import { z } from "zod";

const Usage = z.object({
  /** Whole prompt, cached parts included. */
  inputTokens: z.number().int(),
  cachedTokens: z.number().int().default(0),
  cacheWriteTokens: z.number().int().default(0),
  /** The part of the written ones that is kept for an hour. */
  cacheWriteLongTokens: z.number().int().default(0),
  /** Parts of the prompt and of the answer that are no text. */
  audioInputTokens: z.number().int().default(0),
  imageInputTokens: z.number().int().default(0),
  audioOutputTokens: z.number().int().default(0),
  /** Searches that the provider made itself. */
  searches: z.number().int().default(0),
  /** Whole answer, reasoning included. */
  outputTokens: z.number().int(),
  reasoningTokens: z.number().int().default(0),
});
export type ServedUsage = z.output<typeof Usage>;

const ToolCall = z.object({
  id: z.string().optional(),
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
});
export type ScriptedToolCall = z.output<typeof ToolCall>;

/** How one call is answered. Everything is optional: the default is a short, healthy answer in the caller's wire format. */
export const Scenario = z.strictObject({
  /** Name under which the call is recorded, to find it again. */
  tag: z.string().optional(),

  // What is said
  text: z.string().optional(),
  /** Makes a text of that many pieces ("w0 w1 …") where `text` is not given. */
  pieces: z.number().int().min(0).optional(),
  reasoning: z.string().optional(),
  toolCalls: z.array(ToolCall).optional(),
  /** Items of tools that the provider ran itself, in answers of the responses API. */
  ownTools: z.array(z.record(z.string(), z.unknown())).optional(),
  finish: z.enum(["stop", "length", "tool_calls", "content_filter"]).optional(),
  usage: z.union([Usage.partial(), z.enum(["missing", "zero"])]).optional(),

  // Instead of an answer
  /** A refusal with that status in the provider's own error form. */
  refuse: z
    .strictObject({
      status: z.number().int(),
      message: z.string().optional(),
      type: z.string().optional(),
      code: z.string().optional(),
      headers: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
  /** Any answer at all: HTML, half a JSON, an odd status. */
  raw: z
    .strictObject({
      status: z.number().int().default(200),
      headers: z.record(z.string(), z.string()).default({}),
      body: z.string().default(""),
    })
    .optional(),
  /** The request is read and nothing ever comes back. */
  neverAnswer: z.boolean().optional(),
  /** The connection is destroyed before any header. */
  dropConnection: z.boolean().optional(),

  // When
  delayMs: z.number().min(0).optional(),
  firstFrameDelayMs: z.number().min(0).optional(),
  frameGapMs: z.number().min(0).optional(),

  // How it goes wrong: frames count from 0, "after n" means n frames went out whole
  cutAfterFrames: z.number().int().min(0).optional(),
  cutAfterBytes: z.number().int().min(0).optional(),
  /** Ends the body politely but without the end mark. */
  endAfterFrames: z.number().int().min(0).optional(),
  stallAfterFrames: z.number().int().min(0).optional(),
  errorAfterFrames: z.number().int().min(0).optional(),
  malformedFrame: z.number().int().min(0).optional(),
  /** The bytes of the body go out in chunks of these sizes, over and over: cuts through characters and frames. */
  chunkBytes: z.array(z.number().int().min(1)).optional(),
});
export type Scenario = z.input<typeof Scenario>;

/** The finished plan of an answer. */
export type Answer = {
  readonly id: string;
  readonly model: string;
  readonly createdAtSeconds: number;
  readonly pieces: readonly string[];
  readonly reasoning: readonly string[];
  readonly toolCalls: readonly (ScriptedToolCall & { id: string })[];
  readonly ownTools: readonly Readonly<Record<string, unknown>>[];
  readonly finish: "stop" | "length" | "tool_calls" | "content_filter";
  /** Undefined: the answer says nothing about usage. */
  readonly usage: ServedUsage | undefined;
  /** How many images were asked for. */
  readonly count?: number;
};

const wordsOf = (text: string): string[] => text.match(/\s*\S+\s*$|\s*\S+/g) ?? [];
const tokensOf = (text: string): number => Math.ceil(text.length / 4);

function usageOf(scenario: Scenario, defaults: ServedUsage): ServedUsage | undefined {
  if (scenario.usage === "missing") return undefined;
  if (scenario.usage === "zero") return Usage.parse({ inputTokens: 0, outputTokens: 0 });
  return {
    ...defaults,
    ...Object.fromEntries(Object.entries(scenario.usage ?? {}).filter(([, value]) => value !== undefined)),
  };
}

/** Works out what a scenario answers to a prompt: pure, so that a test can compute the same. */
export function planAnswer(
  asked: { id: string; model: string; promptText: string; count?: number },
  scenario: Scenario,
): Answer {
  const reasoning = wordsOf(scenario.reasoning ?? "");
  const toolCalls = (scenario.toolCalls ?? []).map((call, index) => ({
    ...call,
    id: call.id ?? `call_${asked.id}_${index}`,
  }));
  const madeUp = Array.from({ length: scenario.pieces ?? 0 }, (_, index) => `w${index} `);
  const spoken =
    scenario.text ?? (toolCalls.length > 0 || scenario.pieces !== undefined ? "" : `Hello from ${asked.model}.`);
  const pieces = [...wordsOf(spoken), ...(scenario.text === undefined ? madeUp : [])];
  const toolTokens = toolCalls.reduce((sum, call) => sum + tokensOf(call.name + JSON.stringify(call.arguments)), 0);
  return {
    ...asked,
    createdAtSeconds: Math.floor(Date.now() / 1000),
    pieces,
    reasoning,
    toolCalls,
    ownTools: scenario.ownTools ?? [],
    finish: scenario.finish ?? (toolCalls.length > 0 ? "tool_calls" : "stop"),
    usage: usageOf(
      scenario,
      Usage.parse({
        inputTokens: Math.max(1, tokensOf(asked.promptText)),
        outputTokens: pieces.length + reasoning.length + toolTokens,
        reasoningTokens: reasoning.length,
      }),
    ),
  };
}

/** A scenario written into the prompt itself, as `[[fake {"pieces":3}]]`: works from any process and through any gateway. */
export function scenarioInText(text: string): Scenario | undefined {
  const start = text.lastIndexOf("[[fake ");
  const end = start < 0 ? -1 : text.indexOf("]]", start);
  return end < 0 ? undefined : Scenario.parse(JSON.parse(text.slice(start + "[[fake ".length, end)));
}
