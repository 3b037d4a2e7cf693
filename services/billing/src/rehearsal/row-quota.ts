import type { Ratio } from "@turnpike/contract/pricing/decimal";
import { computeImageQuota, getImagePrice } from "@turnpike/contract/pricing/image-price";
import { getIterationUsage, priceIterations } from "@turnpike/contract/pricing/iterations";
import { priceByCall } from "@turnpike/contract/pricing/model-price";
import { findModelPrice, type ModelPrice, type PriceTables } from "@turnpike/contract/pricing/price-tables";
import { computeQuota, computeTotalQuota, NO_USAGE } from "@turnpike/contract/pricing/quota";
import { isSameModel, toVendorName } from "@turnpike/contract/pricing/rules/catalogue-lookup";
import { getTaskPrice } from "@turnpike/contract/pricing/task-price";
import type { RowCharge } from "./row-charge.ts";

/**
 * Why a row has no quota at other prices: it does not hold its figures, the model has no price in the list, or the row does not name
 * the kind of image that was made.
 */
export type RowProblem = "no_figures" | "no_price" | "no_image_kind";

/** The prices of a list, found once for each model. */
export type PriceFinder = {
  readonly tables: PriceTables;
  readonly find: (charge: RowCharge) => ModelPrice | undefined;
};

/** Finds prices as a call does: by the requested name, else by the upstream's. */
export function createPriceFinder(tables: PriceTables): PriceFinder {
  const found = new Map<string, ModelPrice | undefined>();
  const search = ({ model, upstreamModel, isTask, acceptsUnset }: RowCharge): ModelPrice | undefined =>
    isTask ? getTaskPrice(tables, model).price : findModelPrice(tables, model, upstreamModel, acceptsUnset);
  return {
    tables,
    find(charge) {
      const key = `${charge.isTask ? 1 : 0}${charge.acceptsUnset ? 1 : 0} ${charge.model} ${charge.upstreamModel}`;
      if (!found.has(key)) found.set(key, search(charge));
      return found.get(key);
    },
  };
}

/** The endpoints that are charged by the image unless their response counts tokens. */
const IMAGE_ENDPOINTS: ReadonlySet<string> = new Set(["openai-images", "openai-image-edits"]);

const SIZE = /^\d+x\d+$/;

/** A kind of image as a row names it: quality and size, or one of them. */
function readKind(kind: string): { readonly quality: string; readonly size: string } {
  const [first = "", second] = kind.split("/");
  if (second !== undefined) return { quality: first, size: second };
  return SIZE.test(first) ? { quality: "", size: first } : { quality: first, size: "" };
}

/** The price of a row's images where the list prices them by kind. */
function findImagePrice(charge: RowCharge, perImage: NonNullable<ModelPrice["pieces"]>["perImage"]) {
  if (perImage === undefined) return undefined;
  if (typeof perImage === "number") return perImage;
  const kinds = Object.keys(perImage);
  // Nothing depends on the kind.
  if (kinds.length === 1 && kinds[0] === "*") return perImage["*"];
  if (charge.kind === undefined || charge.kind === "*") return undefined;
  if (Object.hasOwn(perImage, charge.kind)) return perImage[charge.kind];
  return charge.kind.includes("/") ? getImagePrice(perImage, readKind(charge.kind)).dollars : undefined;
}

type Factors = { readonly groupRatio: Ratio; readonly quotaPerUnit: number };

function imageQuota(charge: RowCharge, price: ModelPrice, { groupRatio, quotaPerUnit }: Factors): number | RowProblem {
  const { units = 0, kind } = charge;
  const perImage = price.pieces?.perImage;
  // Plain pieces count larger images more often; images with a price of their own are counted one by one.
  if (perImage === undefined)
    return kind === undefined ? computeImageQuota(price, groupRatio, quotaPerUnit, units) : "no_image_kind";
  const dollars = findImagePrice(charge, perImage);
  if (dollars === undefined) return "no_image_kind";
  return computeImageQuota(priceByCall(dollars), groupRatio, quotaPerUnit, units);
}

/** The same call for the model that an iteration of it names; the row's own where it names none, or the same one. */
function withModel(charge: RowCharge, model: string | undefined): RowCharge {
  const isOwn = model === undefined || isSameModel(model, charge.upstreamModel) || isSameModel(model, charge.model);
  return isOwn ? charge : { ...charge, model, upstreamModel: toVendorName(model) };
}

/** The requests within a row's call that were charged by themselves, as charges of their models. */
export const listIterationCharges = (charge: RowCharge): readonly RowCharge[] =>
  (charge.usage.iterations ?? []).map((iteration) => ({
    ...withModel(charge, iteration.model),
    usage: getIterationUsage(charge.usage, iteration),
  }));

/**
 * What a row's call costs at a price, by the rules of calls. `groupRatio` includes the share of a cached response. A model of an
 * iteration that has no price costs what the row's model does.
 */
export function computeRowQuota(
  charge: RowCharge,
  price: ModelPrice,
  factors: Factors,
  find: PriceFinder["find"],
): number | RowProblem {
  const { usage, units, endpoint } = charge;
  const { groupRatio, quotaPerUnit } = factors;
  if (charge.isTask) return computeQuota(price, groupRatio, quotaPerUnit, NO_USAGE);
  const isEmpty = usage.promptTokens + usage.completionTokens === 0 && usage.toolCalls === undefined;
  if (isEmpty && usage.iterations === undefined) return 0;
  const isByTokens = price.mode !== "call" && usage.completionTokens > 0;
  if (units !== undefined && !isByTokens) return imageQuota(charge, price, factors);
  if (endpoint !== undefined && IMAGE_ENDPOINTS.has(endpoint) && !isByTokens) return "no_image_kind";
  if (usage.iterations === undefined) return computeQuota(price, groupRatio, quotaPerUnit, usage);
  const parts = priceIterations(price, usage, (model) => find(withModel(charge, model)));
  return computeTotalQuota(parts, groupRatio, quotaPerUnit);
}
