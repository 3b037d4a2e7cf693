import type { PresetRatios } from "@turnpike/contract/api/option";
import { isMapOf, isNumber } from "../../../lib/check.ts";
import { parseJson } from "../../../lib/parse-json.ts";
import type { SettingsSection } from "../section/use-settings-section.ts";
import type { PriceTables } from "./price-rows.ts";

const isRatios = isMapOf(isNumber);

/** The price tables as edited so far; undefined while one of the JSON texts is broken. */
export function readTables(section: SettingsSection): PriceTables | undefined {
  const modelRatio = parseJson(isRatios, section.valueOf("ModelRatio"));
  const completionRatio = parseJson(isRatios, section.valueOf("CompletionRatio"));
  const modelPrice = parseJson(isRatios, section.valueOf("ModelPrice"));
  return modelRatio && completionRatio && modelPrice && { modelRatio, completionRatio, modelPrice };
}

const layOut = (table: Readonly<Record<string, number>>): string => JSON.stringify(table, undefined, 2);

/** Puts changed tables into the section, where they wait until it is saved. */
export function writeTables(section: SettingsSection, tables: PriceTables): void {
  section.set("ModelRatio", layOut(tables.modelRatio));
  section.set("CompletionRatio", layOut(tables.completionRatio));
  section.set("ModelPrice", layOut(tables.modelPrice));
}

/** The tables with a preset laid over them: models of the same name take its ratios. */
export const withPreset = (tables: PriceTables, preset: PresetRatios): PriceTables => ({
  ...tables,
  modelRatio: { ...tables.modelRatio, ...preset.model_ratio },
  completionRatio: { ...tables.completionRatio, ...preset.completion_ratio },
});

const lessNames = (
  table: Readonly<Record<string, number>>,
  names: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(table).filter(([name]) => !Object.hasOwn(names, name)));

/** The tables without the ratios of every model that a preset names. */
export const withoutPreset = (tables: PriceTables, preset: PresetRatios): PriceTables => ({
  ...tables,
  modelRatio: lessNames(tables.modelRatio, preset.model_ratio ?? {}),
  completionRatio: lessNames(tables.completionRatio, preset.completion_ratio),
});

/** What a batch sets: a price per call, or one or both ratios. */
export type BatchPrice =
  | { readonly mode: "call"; readonly price: number }
  | { readonly mode: "ratio"; readonly ratio: number }
  | { readonly mode: "completion"; readonly completion: number }
  | { readonly mode: "both"; readonly ratio: number; readonly completion: number };

const filled = (names: readonly string[], value: number): Readonly<Record<string, number>> =>
  Object.fromEntries(names.map((name) => [name, value]));

/** The tables with many models set at once. A price per call clears their ratios and the other way round. */
export function withBatch(tables: PriceTables, names: readonly string[], batch: BatchPrice): PriceTables {
  const chosen = filled(names, 0);
  if (batch.mode === "call") {
    return {
      modelRatio: lessNames(tables.modelRatio, chosen),
      completionRatio: lessNames(tables.completionRatio, chosen),
      modelPrice: { ...tables.modelPrice, ...filled(names, batch.price) },
    };
  }
  const ratios = "ratio" in batch ? filled(names, batch.ratio) : {};
  const completions = "completion" in batch ? filled(names, batch.completion) : {};
  return {
    modelRatio: { ...tables.modelRatio, ...ratios },
    completionRatio: { ...tables.completionRatio, ...completions },
    modelPrice: lessNames(tables.modelPrice, chosen),
  };
}
