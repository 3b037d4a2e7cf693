import { getChannelType } from "@turnpike/contract/api/channels/channel-types";
import type { TokenUsage } from "@turnpike/contract/pricing/quota";
import { createHistogram, type HistogramSeries } from "@turnpike/shared/telemetry/metric-series";
import { modelFamily } from "@turnpike/shared/telemetry/model-family";

/** Metrics of calls to providers, with the names, labels and buckets of OpenTelemetry's GenAI conventions. */
const LABELS = ["gen_ai_operation_name", "gen_ai_provider_name", "gen_ai_request_model"] as const;

const durations = createHistogram(
  {
    name: "gen_ai_client_operation_duration_seconds",
    help: "Seconds of one call to a provider, to the end of its response; error_type is empty for successful calls",
    labelNames: [...LABELS, "error_type"],
    buckets: [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92],
  },
  { seriesMax: 500 },
);
const tokens = createHistogram(
  {
    name: "gen_ai_client_token_usage",
    help: "Tokens per charged call by type: input (including cached), output (including reasoning)",
    labelNames: [...LABELS, "gen_ai_token_type"],
    buckets: [1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864],
  },
  { seriesMax: 500 },
);

const OPERATIONS: Readonly<Record<string, string>> = {
  "openai-chat": "chat",
  "anthropic-messages": "chat",
  "openai-responses": "chat",
  "openai-compact": "chat",
  gemini: "generate_content",
  "openai-completions": "text_completion",
  "openai-embeddings": "embeddings",
  "gemini-embed": "embeddings",
  "gemini-batch-embed": "embeddings",
};

/** The conventions' operation name of a dialect; the dialect's own name if the conventions have none. */
export const getOperationName = (dialect: string): string => OPERATIONS[dialect] ?? dialect;

/** Providers named by the conventions, by channel type. */
const PROVIDERS: Readonly<Record<number, string>> = {
  1: "openai",
  3: "azure.ai.openai",
  11: "gcp.gemini",
  14: "anthropic",
  24: "gcp.gemini",
  27: "perplexity",
  33: "aws.bedrock",
  34: "cohere",
  41: "gcp.vertex_ai",
  42: "mistral_ai",
  43: "deepseek",
  48: "x_ai",
};
const providerNames = new Map<number, string>();

function getTypeName(channelType: number): string {
  const { name = "" } = getChannelType(channelType) ?? {};
  const own = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_");
  return PROVIDERS[channelType] ?? (/[a-z0-9]/.test(own) ? own : "custom");
}

/** The conventions' provider name of a channel type; for others, the type's own name in the same style. */
export function getProviderName(channelType: number): string {
  const known = providerNames.get(channelType);
  if (known !== undefined) return known;
  const name = getTypeName(channelType);
  providerNames.set(channelType, name);
  return name;
}

/** The labels of a provider call's series: dialect, channel type and model. */
export type Operation = { readonly dialect: string; readonly channelType: number; readonly model: string };

type Cells = { readonly good: HistogramSeries; readonly input: HistogramSeries; readonly output: HistogramSeries };
/** Cached, so that a call finds its series with three lookups. */
const cellsByDialect = new Map<string, Map<number, Map<string, Cells>>>();

const getLabels = ({ dialect, channelType, model }: Operation): readonly [string, string, string] => [
  getOperationName(dialect),
  getProviderName(channelType),
  modelFamily(model),
];

function getCells(operation: Operation): Cells {
  let types = cellsByDialect.get(operation.dialect);
  if (!types) cellsByDialect.set(operation.dialect, (types = new Map()));
  let families = types.get(operation.channelType);
  if (!families) types.set(operation.channelType, (families = new Map()));
  const family = modelFamily(operation.model);
  let cells = families.get(family);
  if (!cells) {
    const labels = getLabels(operation);
    cells = {
      good: durations.of(...labels, ""),
      input: tokens.of(...labels, "input"),
      output: tokens.of(...labels, "output"),
    };
    families.set(family, cells);
  }
  return cells;
}

/** Counts a finished call to a provider; `errorType` is from a small fixed set. */
export function operationEnded(operation: Operation, seconds: number, errorType: string | undefined): void {
  if (errorType === undefined) getCells(operation).good.observe(seconds);
  else durations.of(...getLabels(operation), errorType).observe(seconds);
}

/** Counts the tokens of a charged call. */
export function tokensUsed(operation: Operation, usage: TokenUsage): void {
  const { input, output } = getCells(operation);
  input.observe(usage.promptTokens);
  output.observe(usage.completionTokens);
}
