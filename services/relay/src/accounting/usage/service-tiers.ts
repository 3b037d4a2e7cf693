import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { ModelPrice } from "@turnpike/contract/pricing/price-tables";
import { isTierPriced } from "@turnpike/contract/pricing/price-variants";
import { STANDARD_TIERS } from "@turnpike/contract/pricing/rules/price-rule";
import type { Json } from "../../core/chat/chat.ts";
import { toCallBody } from "../../core/call/call-body.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";
import { RelayError } from "../../core/errors/relay-error.ts";

/** The fields by which callers request a tier or a speed: OpenAI and Anthropic, Google, Anthropic's speed. */
const TIER_FIELDS = ["service_tier", "serviceTier", "speed"] as const;

type Requested = { readonly field: string; readonly tier: string };

/** Endpoints for speech have a `speed` of their own, which is a number. */
function requestedTiers(body: Json): readonly Requested[] {
  return TIER_FIELDS.flatMap((field) => {
    const value = body[field];
    const tier = typeof value === "string" ? value.toLowerCase() : "";
    return STANDARD_TIERS.has(tier) ? [] : [{ field, tier }];
  });
}

/** The tier or speed that a call requests; undefined for the standard one. */
export const getRequestedTier = ({ body }: Pick<RelayCall, "body">): string | undefined =>
  requestedTiers(body).at(-1)?.tier;

/** Removes fields from a call before any attempt uses its body. */
function removeFields(call: RelayCall, fields: readonly string[]): void {
  const body = Object.fromEntries(Object.entries(call.body).filter(([name]) => !fields.includes(name)));
  Object.assign(call, toCallBody(call.dialect, call, { body, text: JSON.stringify(body) }));
}

/**
 * Applies the option UnpricedTiers to a call that requests a tier without a price: throws unsupported_service_tier, or removes the
 * request for it, or lets it pass at the standard price.
 */
export function applyTierPolicy(call: RelayCall, price: ModelPrice, options: OptionsInForce): void {
  if (call.form) return;
  const unpriced = requestedTiers(call.body).filter(({ tier }) => !isTierPriced(price, tier));
  const [first] = unpriced;
  const policy = options.text("UnpricedTiers");
  if (!first || policy === "standard") return;
  if (policy === "strip") {
    removeFields(
      call,
      unpriced.map(({ field }) => field),
    );
    return;
  }
  const name = first.tier.slice(0, 32);
  throw new RelayError(
    "unsupported_service_tier",
    `the service tier ${JSON.stringify(name)} has no price for the model ${call.model}; leave it out or ask an administrator to set its price`,
    { param: first.field === "serviceTier" ? "service_tier" : first.field },
  );
}
