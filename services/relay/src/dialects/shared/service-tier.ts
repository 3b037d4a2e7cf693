import type { ServiceTier } from "../../core/chat/chat.ts";

/** The names of tiers: OpenAI's and Google's, and Anthropic's for the standard one. */
const TIERS: Readonly<Record<string, ServiceTier>> = {
  default: "standard",
  standard: "standard",
  standard_only: "standard",
  flex: "flex",
  priority: "priority",
};

/** The tier by its name in any dialect; undefined for names that leave it to the provider, and for those of one provider alone. */
export const parseServiceTier = (value: unknown): ServiceTier | undefined =>
  typeof value === "string" ? TIERS[value.toLowerCase()] : undefined;
