import type { ReportedUsage, ServiceTier } from "../../core/chat/chat.ts";
import { asText } from "../../core/chat/json.ts";
import type { Target } from "../contract/target.ts";

const NAME_LENGTH_MAX = 32;
const NAME = /^[a-z][a-z0-9_-]*$/;

/** A tier's or region's name as upstream writes it, in small letters; undefined for anything else. */
export function readTierName(value: unknown): string | undefined {
  const name = asText(value)?.trim().toLowerCase();
  return name !== undefined && name.length <= NAME_LENGTH_MAX && NAME.test(name) ? name : undefined;
}

/** The usage with the service tier that the response names. */
export const withTier = (usage: ReportedUsage, tier: string | undefined): ReportedUsage =>
  usage === undefined || tier === undefined ? usage : { ...usage, tier };

const TRAFFIC = /^on_demand_(\w+)$/;

/**
 * The tier of Google's `trafficType`: ON_DEMAND, ON_DEMAND_PRIORITY, ON_DEMAND_FLEX, PROVISIONED_THROUGHPUT. Source: Vertex AI API
 * reference, "GenerateContentResponse.UsageMetadata".
 */
export function readTrafficType(value: unknown): string | undefined {
  const name = readTierName(value);
  if (name === undefined || name === "traffic_type_unspecified") return undefined;
  return TRAFFIC.exec(name)?.[1] ?? name;
}

/** A provider's own API: the channel type, and the host of its addresses. */
type OwnApi = { readonly channelType: number; readonly host: RegExp };

/** The tier that a request to a provider's own API names; services with its format may refuse the field. */
export const getOwnTier = (
  tier: ServiceTier | undefined,
  { channelType, baseUrl }: Target,
  own: OwnApi,
): ServiceTier | undefined =>
  channelType === own.channelType && (baseUrl === "" || own.host.test(baseUrl)) ? tier : undefined;

/** OpenAI's name of a tier. Source: OpenAI API reference, `service_tier`. */
export const toOpenAiTier = (tier: ServiceTier): string => (tier === "standard" ? "default" : tier);
