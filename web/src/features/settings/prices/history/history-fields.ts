import { isPriceKey } from "@turnpike/contract/options/price-options";
import { GROUP_FIELDS } from "../../lists/list-fields.ts";
import { RESPONSE_CACHE } from "../../panels/operation-routing-panels.ts";
import { CATALOGUE_FIELDS, FALLBACK_FIELDS, PRICE_FIELDS, RULE_FIELDS } from "../price-fields.ts";

/** The settings whose changes are in the price history, with their names. */
export const HISTORY_FIELDS = [
  ...PRICE_FIELDS,
  ...RULE_FIELDS,
  ...CATALOGUE_FIELDS,
  ...GROUP_FIELDS,
  ...FALLBACK_FIELDS,
  ...RESPONSE_CACHE.fields,
].filter(({ key }) => isPriceKey(key));
