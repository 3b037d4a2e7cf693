/** What a Claude model accepts and refuses, derived from its name. */
export type ClaudeTraits = {
  /**
   * `never`: no reasoning; `budget`: with a token budget; `either`: a budget or adaptive; `adaptive`: adaptive only.
   */
  readonly thinking: "never" | "budget" | "either" | "adaptive";
  /** How reasoning is disabled: it is off by default, by a parameter, or not at all (then as little as possible). */
  readonly off: "unasked" | "disabled" | "between_tools" | "least";
  /** Refuses temperature, top_p and top_k in every combination. */
  readonly fixedSampling: boolean;
  /** Accepts temperature or top_p, not both. */
  readonly oneSampling: boolean;
  /**
   * Accepts `output_config.format`, at Anthropic and on Google's platform (docs.cloud.google.com, Claude, structured
   * outputs).
   */
  readonly jsonSchema: boolean;
  readonly jsonSchemaOnVertex: boolean;
  /** Continues from a final assistant turn (prefill). */
  readonly supportsPrefill: boolean;
  /** The model's maximum output tokens if that is less than the default. */
  readonly outputTokensMax: number;
};

const VERSION = /(?:^|[^a-z0-9])(\d)(?:[-.](\d{1,2}))?(?!\d)/;

/** Parses the version: 4.5 of `claude-opus-4-5-20251101` is 405; undefined for names without a version. */
function getVersion(model: string): number | undefined {
  const match = VERSION.exec(model);
  return match ? Number(match[1]) * 100 + Number(match[2] ?? 0) : undefined;
}

function offSwitch(model: string, version: number): ClaudeTraits["off"] {
  if (/fable|mythos/.test(model)) return "least";
  if (version < 500) return "unasked";
  if (version < 505) return "disabled";
  return model.includes("sonnet") ? "between_tools" : "least";
}

function getThinking(version: number): ClaudeTraits["thinking"] {
  if (version < 307) return "never";
  if (version < 406) return "budget";
  return version < 407 ? "either" : "adaptive";
}

/**
 * The traits of a model. Thresholds are versions rather than lists of names, so that new models of a generation work on
 * their first day: reasoning starts with 3.7; from 4.6 on, budgets end, prefills are refused and reasoning is adaptive;
 * from 4.7 on, sampling parameters and budgets are refused. Names without a version count as 4.5, unless their family
 * never had budgets.
 */
export function claudeTraits(model: string): ClaudeTraits {
  const name = model.toLowerCase();
  const version = getVersion(name) ?? (/fable|mythos/.test(name) ? 500 : 405);
  return {
    thinking: getThinking(version),
    off: offSwitch(name, version),
    fixedSampling: version >= 407,
    oneSampling: version >= 401,
    jsonSchema: version >= 405 || (version === 401 && name.includes("opus")),
    jsonSchemaOnVertex: version >= 406,
    supportsPrefill: version < 406,
    outputTokensMax: version < 305 ? 4_096 : Number.POSITIVE_INFINITY,
  };
}
