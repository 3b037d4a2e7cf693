import { findModelPrice, findGroupRatio, type ModelPrice } from "@turnpike/contract/pricing/price-tables";
import { QUOTA_PER_UNIT_DEFAULT } from "@turnpike/contract/pricing/dollars";
import type { CatalogueModel } from "@turnpike/contract/pricing/rules/model-facts";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { getPriceTables } from "../../accounting/holds/meters/call-price.ts";
import { type Caller, getGroup } from "../../core/call/caller.ts";
import { getUpstreamModel } from "../../core/call/channel.ts";
import { findCatalogueEntry } from "../../core/vendors/catalogue-entry.ts";
import type { RoutingTable } from "../../routing/routing-table.ts";

/** OpenRouter's names of modalities where they differ. */
const MODALITIES: Readonly<Record<string, string>> = { pdf: "file" };
/** What a model of a mode writes if the catalogue does not name it. */
const OUTPUTS: Readonly<Record<string, string>> = {
  image_generation: "image",
  audio_speech: "audio",
  embedding: "embeddings",
};
const DIGITS = 12;
const DECIMALS = 15;

/** A price in dollars as decimal text, as OpenRouter writes it: `0.0000025`. */
function toText(dollars: number): string {
  const text = Number(dollars.toPrecision(DIGITS)).toFixed(DECIMALS);
  return text.replace(/\.?0+$/, "");
}

/** Dollars for a token of each kind, or for a call, at the ratio of the caller's group. */
function writePricing(price: ModelPrice, groupRatio: number): Record<string, string> {
  if (price.mode === "call") return { prompt: "0", completion: "0", request: toText(price.modelPrice * groupRatio) };
  const { base, weights, pieces } = price;
  const perToken = (weight: number): string => toText((weight * base * groupRatio) / QUOTA_PER_UNIT_DEFAULT);
  const image = pieces?.perImage;
  return {
    prompt: perToken(weights.input),
    completion: perToken(weights.output),
    request: "0",
    input_cache_read: perToken(weights.cache_read),
    input_cache_write: perToken(weights.cache_write),
    ...(typeof image === "number" ? { image: toText(image * groupRatio) } : {}),
  };
}

function writeArchitecture({ input = ["text"], output, mode = "" }: Partial<CatalogueModel>) {
  const rename = (kinds: readonly string[]): string[] => kinds.map((kind) => MODALITIES[kind] ?? kind);
  const inputs = rename(input);
  const outputs = rename(output ?? [OUTPUTS[mode] ?? "text"]);
  return {
    modality: `${inputs.join("+")}->${outputs.join("+")}`,
    input_modalities: inputs,
    output_modalities: outputs,
    tokenizer: "Other",
    instruct_type: null,
  };
}

const BASIC_PARAMETERS = ["max_tokens", "temperature", "top_p", "stop"];

const listParameters = ({ tools, reasoning }: Partial<CatalogueModel>): string[] => [
  ...BASIC_PARAMETERS,
  ...(tools ? ["tools", "tool_choice"] : []),
  ...(reasoning ? ["reasoning", "include_reasoning"] : []),
];

/**
 * OpenRouter's fields of a model (https://openrouter.ai/docs/api-reference/list-available-models): lengths and
 * modalities by the built-in catalogue, prices of the caller's group in dollars. What is not known is null, or absent for prices.
 */
export function createModelFacts(caller: Caller, table: RoutingTable, options: OptionsInForce) {
  const tables = getPriceTables(options);
  const { principal } = caller;
  const group = getGroup({ caller, pinnedChannelId: undefined });
  const groupRatio = findGroupRatio(tables, group, principal.group);
  return (model: string) => {
    const upstreams = new Set(
      table
        .tiers(group, model)
        .flat()
        .map((channel) => getUpstreamModel(channel, model)),
    );
    const names = [model, ...upstreams];
    const price = [...upstreams]
      .map((upstream) => findModelPrice(tables, model, upstream, principal.acceptUnsetModelRatioModel))
      .find((one) => one !== undefined);
    const entry: Partial<CatalogueModel> = findCatalogueEntry(names) ?? {};
    return {
      name: model,
      context_length: entry.context ?? null,
      architecture: writeArchitecture(entry),
      pricing: price && groupRatio !== undefined ? writePricing(price, groupRatio) : {},
      top_provider: {
        context_length: entry.context ?? null,
        max_completion_tokens: entry.max_output ?? null,
        is_moderated: false,
      },
      per_request_limits: null,
      supported_parameters: listParameters(entry),
    };
  };
}

export type WriteModelFacts = ReturnType<typeof createModelFacts>;
