import { getRoutedModelName } from "@turnpike/contract/api/models/model-mapping";
import { readChannelSetting } from "@turnpike/contract/channel-setting";
import { type ChannelCost, COST_SOURCES, DEFAULT_COST } from "@turnpike/contract/pricing/channel-cost";
import type { CostSide, RoutedChannel, Tiers } from "../core/call/channel.ts";
import type { IdleChannel, RoutingChannel } from "@turnpike/proto/channel/v1/channel_service";
import { z } from "zod";

const StringMap = z.record(z.string(), z.coerce.string());
const CostShape = z.looseObject({ source: z.enum(COST_SOURCES), factor: z.number().optional() });
const JsonObject = z.record(z.string(), z.unknown());

export type RoutingTable = {
  readonly tiers: (group: string, model: string) => Tiers;
  readonly models: (group: string) => readonly string[];
  readonly byId: (id: number) => RoutedChannel | undefined;
  /** Models of channels with a prefix, by their names without it. */
  readonly bareNames: (model: string) => readonly string[];
  /** Includes models whose channels are all disabled. */
  readonly knowsModel: (model: string) => boolean;
  /** The channel exists, but is disabled or has no enabled key. */
  readonly isIdle: (id: number) => boolean;
  readonly channelCount: number;
};

const list = (text: string): string[] =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");

/** The text was validated when the channel was saved; if it is invalid anyway, the channel works without it. */
function parseOr<Value>(schema: z.ZodType<Value>, text: string, fallback: Value): Value {
  if (text.trim() === "") return fallback;
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return fallback;
  }
}

type SettingFields = Pick<
  RoutedChannel,
  | "drainOnDisconnect"
  | "proxy"
  | "forceFormat"
  | "thinkingToContent"
  | "neverStreams"
  | "cachesResponses"
  | "hasSetting"
>;

function readSetting(text: string): SettingFields {
  const setting = readChannelSetting(text);
  const { proxy, force_format: forceFormat, thinking_to_content: thinkingToContent } = setting;
  return {
    drainOnDisconnect: setting.on_client_disconnect === "drain",
    proxy: proxy === "" ? undefined : proxy,
    forceFormat,
    thinkingToContent,
    neverStreams: setting.stream_support === "NON_STREAM_ONLY",
    cachesResponses: setting.response_cache,
    hasSetting: proxy !== "" || forceFormat || thinkingToContent,
  };
}

/** The cost side; its prices were validated when they were stored. */
function readCost(text: string): CostSide {
  const { source, factor = 1, prices } = parseOr(CostShape, text, DEFAULT_COST) as ChannelCost;
  return { source, factor, prices };
}

export function toRoutedChannel({ channel, keys }: RoutingChannel): RoutedChannel | undefined {
  if (!channel || keys.length === 0) return undefined;
  const override = parseOr(JsonObject, channel.paramOverride, {});
  return {
    id: channel.id,
    name: channel.name,
    type: channel.type,
    baseUrl: channel.baseUrl.replace(/\/+$/, ""),
    organization: channel.openaiOrganization,
    other: channel.other,
    keys,
    groups: list(channel.group),
    models: list(channel.models).map((model) => channel.modelPrefix + model),
    priority: channel.priority,
    weight: channel.weight,
    prefix: channel.modelPrefix,
    modelMapping: parseOr(StringMap, channel.modelMapping, {}),
    statusCodeMapping: parseOr(StringMap, channel.statusCodeMapping, {}),
    paramOverride: Object.keys(override).length > 0 ? override : undefined,
    ...readSetting(channel.setting),
    cost: readCost(channel.cost),
  };
}

function toTiers(channels: readonly RoutedChannel[]): Tiers {
  const byPriority = Map.groupBy(channels, (channel) => channel.priority);
  return [...byPriority].toSorted(([a], [b]) => b - a).map(([, tier]) => tier);
}

/** Compiles a snapshot into lookups by group and model; `idle` contains the channels that serve no calls now. */
export function createRoutingTable(
  snapshot: readonly RoutingChannel[],
  idle: readonly IdleChannel[] = [],
): RoutingTable {
  const channels = snapshot.map(toRoutedChannel).filter((channel) => channel !== undefined);
  const byId = new Map(channels.map((channel) => [channel.id, channel]));
  const groups = new Map<string, Map<string, RoutedChannel[]>>();
  for (const channel of channels) {
    for (const group of channel.groups) {
      const models = groups.get(group) ?? new Map<string, RoutedChannel[]>();
      groups.set(group, models);
      for (const model of channel.models) models.set(model, [...(models.get(model) ?? []), channel]);
    }
  }
  const compiled = new Map(
    [...groups].map(([group, models]) => [group, new Map([...models].map(([model, of]) => [model, toTiers(of)]))]),
  );
  const bareNames = new Map<string, string[]>();
  for (const { models, prefix } of channels) {
    if (prefix === "") continue;
    for (const model of models) {
      const names = new Set(bareNames.get(model)).add(model.slice(prefix.length));
      bareNames.set(model, [...names]);
    }
  }
  const everyModel = new Set([...channels, ...idle].flatMap(({ models }) => models));
  const idleIds = new Set(idle.map(({ id }) => id));
  return {
    tiers: (group, model) => compiled.get(group)?.get(getRoutedModelName(model)) ?? [],
    models: (group) => [...(compiled.get(group)?.keys() ?? [])],
    byId: (id) => byId.get(id),
    bareNames: (model) => bareNames.get(model) ?? [],
    isIdle: (id) => idleIds.has(id),
    knowsModel: (model) => everyModel.has(getRoutedModelName(model)),
    channelCount: channels.length,
  };
}
