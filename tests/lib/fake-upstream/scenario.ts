import { z } from "zod";

const Usage = z.object({
  /** The whole prompt, including cached parts. */
  inputTokens: z.number().int(),
  cachedTokens: z.number().int().default(0),
  cacheWriteTokens: z.number().int().default(0),
  /** The part of the written tokens that is cached for an hour. */
  cacheWriteLongTokens: z.number().int().default(0),
  /** Parts of the prompt and of the response that are not text. */
  audioInputTokens: z.number().int().default(0),
  imageInputTokens: z.number().int().default(0),
  audioOutputTokens: z.number().int().default(0),
  /** Searches made by the provider itself. */
  searches: z.number().int().default(0),
  /** The whole output, including reasoning. */
  outputTokens: z.number().int(),
  reasoningTokens: z.number().int().default(0),
  /** The service tier and the region that the response names, as the provider spells them. */
  tier: z.string().optional(),
  region: z.string().optional(),
});
export type ServedUsage = z.output<typeof Usage>;

const ToolCall = z.object({
  id: z.string().optional(),
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
});
export type ScriptedToolCall = z.output<typeof ToolCall>;

/**
 * How one call is served. Everything is optional: the default is a short, successful response in the caller's wire
 * format.
 */
export const Scenario = z.strictObject({
  /** Name under which the call is recorded, to find it again. */
  tag: z.string().optional(),

  // Content
  text: z.string().optional(),
  /** Number of pieces in a generated text ("w0 w1 …"), used if `text` is not given. */
  pieces: z.number().int().min(0).optional(),
  reasoning: z.string().optional(),
  toolCalls: z.array(ToolCall).optional(),
  /** Items of tools run by the provider, in responses of the Responses API. */
  ownTools: z.array(z.record(z.string(), z.unknown())).optional(),
  finish: z.enum(["stop", "length", "tool_calls", "content_filter"]).optional(),
  usage: z.union([Usage.partial(), z.enum(["missing", "zero"])]).optional(),

  // Instead of a response
  /** An error with that status in the provider's own format. */
  refuse: z
    .strictObject({
      status: z.number().int(),
      message: z.string().optional(),
      type: z.string().optional(),
      code: z.string().optional(),
      headers: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
  /** Any raw response: HTML, partial JSON, an unusual status. */
  raw: z
    .strictObject({
      status: z.number().int().default(200),
      headers: z.record(z.string(), z.string()).default({}),
      body: z.string().default(""),
    })
    .optional(),
  /** The request is read and no response is ever sent. */
  neverRespond: z.boolean().optional(),
  /** The connection is destroyed before any header. */
  dropConnection: z.boolean().optional(),

  // Timing
  delayMs: z.number().min(0).optional(),
  firstFrameDelayMs: z.number().min(0).optional(),
  frameGapMs: z.number().min(0).optional(),

  // Failures: frames count from 0, "after n" means n frames were sent completely
  cutAfterFrames: z.number().int().min(0).optional(),
  cutAfterBytes: z.number().int().min(0).optional(),
  /** Ends the body normally but without the end marker. */
  endAfterFrames: z.number().int().min(0).optional(),
  stallAfterFrames: z.number().int().min(0).optional(),
  /** Sends this much of a body that is not a stream, then nothing. */
  stallAfterBytes: z.number().int().min(0).optional(),
  errorAfterFrames: z.number().int().min(0).optional(),
  malformedFrame: z.number().int().min(0).optional(),
  /** The bytes of the body are sent in chunks of these sizes, repeatedly: splits characters and frames. */
  chunkBytes: z.array(z.number().int().min(1)).optional(),
});
export type Scenario = z.input<typeof Scenario>;

/** The computed content of a response. */
export type PlannedResponse = {
  readonly id: string;
  readonly model: string;
  readonly createdAtSeconds: number;
  readonly pieces: readonly string[];
  readonly reasoning: readonly string[];
  readonly toolCalls: readonly (ScriptedToolCall & { id: string })[];
  readonly ownTools: readonly Readonly<Record<string, unknown>>[];
  readonly finish: "stop" | "length" | "tool_calls" | "content_filter";
  /** Undefined: the response reports no usage. */
  readonly usage: ServedUsage | undefined;
  /** How many images were requested. */
  readonly count?: number;
};

const splitWords = (text: string): string[] => text.match(/\s*\S+\s*$|\s*\S+/g) ?? [];
const countTokens = (text: string): number => Math.ceil(text.length / 4);

function readScenarioUsage(scenario: Scenario, defaults: ServedUsage): ServedUsage | undefined {
  if (scenario.usage === "missing") return undefined;
  if (scenario.usage === "zero") return Usage.parse({ inputTokens: 0, outputTokens: 0 });
  return {
    ...defaults,
    ...Object.fromEntries(Object.entries(scenario.usage ?? {}).filter(([, value]) => value !== undefined)),
  };
}

/** Computes the response of a scenario to a prompt: pure, so that a test can compute the same. */
export function planResponse(
  requested: { id: string; model: string; promptText: string; count?: number },
  scenario: Scenario,
): PlannedResponse {
  const reasoning = splitWords(scenario.reasoning ?? "");
  const toolCalls = (scenario.toolCalls ?? []).map((call, index) => ({
    ...call,
    id: call.id ?? `call_${requested.id}_${index}`,
  }));
  const madeUp = Array.from({ length: scenario.pieces ?? 0 }, (_, index) => `w${index} `);
  const text =
    scenario.text ?? (toolCalls.length > 0 || scenario.pieces !== undefined ? "" : `Hello from ${requested.model}.`);
  const pieces = [...splitWords(text), ...(scenario.text === undefined ? madeUp : [])];
  const toolTokens = toolCalls.reduce((sum, call) => sum + countTokens(call.name + JSON.stringify(call.arguments)), 0);
  return {
    ...requested,
    createdAtSeconds: Math.floor(Date.now() / 1000),
    pieces,
    reasoning,
    toolCalls,
    ownTools: scenario.ownTools ?? [],
    finish: scenario.finish ?? (toolCalls.length > 0 ? "tool_calls" : "stop"),
    usage: readScenarioUsage(
      scenario,
      Usage.parse({
        inputTokens: Math.max(1, countTokens(requested.promptText)),
        outputTokens: pieces.length + reasoning.length + toolTokens,
        reasoningTokens: reasoning.length,
      }),
    ),
  };
}

/** A scenario embedded in the prompt, as `[[fake {"pieces":3}]]`: works from any process and through any gateway. */
export function scenarioInText(text: string): Scenario | undefined {
  const start = text.lastIndexOf("[[fake ");
  const end = start < 0 ? -1 : text.indexOf("]]", start);
  return end < 0 ? undefined : Scenario.parse(JSON.parse(text.slice(start + "[[fake ".length, end)));
}
