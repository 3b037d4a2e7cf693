import { z } from "zod/mini";
import type { PresetRatios } from "@turnpike/contract/api/option";
import { parseJson } from "../../../../lib/api/parse-json.ts";
import type { OptionKey } from "@turnpike/contract/options/option-definitions";
import type { SettingsSection } from "../../section/use-settings-section.ts";
import type { PriceRule, PriceRules } from "@turnpike/contract/pricing/rules/price-rule";
import type { PriceTables } from "../price-rows.ts";

const Ratios = z.record(z.string(), z.number());

/** The price tables in the options' texts; undefined while one of them is invalid. */
export function parseTables(getText: (key: OptionKey) => string): PriceTables | undefined {
  const modelRatio = parseJson(Ratios, getText("ModelRatio"));
  const completionRatio = parseJson(Ratios, getText("CompletionRatio"));
  const modelPrice = parseJson(Ratios, getText("ModelPrice"));
  const cacheRatio = parseJson(Ratios, getText("CacheRatio"));
  return modelRatio && completionRatio && modelPrice && cacheRatio
    ? { modelRatio, completionRatio, modelPrice, cacheRatio }
    : undefined;
}

/** The edited price tables; undefined while one of the JSON texts is invalid. */
export const readTables = (section: SettingsSection): PriceTables | undefined => parseTables(section.valueOf);

const layOut = (table: Readonly<Record<string, number>>): string => JSON.stringify(table, undefined, 2);

/** Puts changed tables into the section, where they wait until it is saved. */
export function writeTables(section: SettingsSection, tables: PriceTables): void {
  section.set("ModelRatio", layOut(tables.modelRatio));
  section.set("CompletionRatio", layOut(tables.completionRatio));
  section.set("ModelPrice", layOut(tables.modelPrice));
  section.set("CacheRatio", layOut(tables.cacheRatio));
}

/** The tables with a preset applied: models of the same name take its ratios. */
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

/** The tables without the ratios of a preset's models. */
export const withoutPreset = (tables: PriceTables, preset: PresetRatios): PriceTables => ({
  ...tables,
  modelRatio: lessNames(tables.modelRatio, preset.model_ratio ?? {}),
  completionRatio: lessNames(tables.completionRatio, preset.completion_ratio),
});

/** A batch change: a per-call price, or one or both ratios. */
export type BatchPrice =
  | { readonly mode: "call"; readonly price: number }
  | { readonly mode: "ratio"; readonly ratio: number }
  | { readonly mode: "completion"; readonly completion: number }
  | { readonly mode: "both"; readonly ratio: number; readonly completion: number };

const filled = (names: readonly string[], value: number): Readonly<Record<string, number>> =>
  Object.fromEntries(names.map((name) => [name, value]));

/** The tables with many models set at once. A per-call price clears their ratios and the other way round. */
export function withBatch(tables: PriceTables, names: readonly string[], batch: BatchPrice): PriceTables {
  const chosen = filled(names, 0);
  if (batch.mode === "call") {
    return {
      ...tables,
      modelRatio: lessNames(tables.modelRatio, chosen),
      completionRatio: lessNames(tables.completionRatio, chosen),
      modelPrice: { ...tables.modelPrice, ...filled(names, batch.price) },
    };
  }
  const ratios = "ratio" in batch ? filled(names, batch.ratio) : {};
  const completions = "completion" in batch ? filled(names, batch.completion) : {};
  return {
    ...tables,
    modelRatio: { ...tables.modelRatio, ...ratios },
    completionRatio: { ...tables.completionRatio, ...completions },
    modelPrice: lessNames(tables.modelPrice, chosen),
  };
}

const Rules = z.record(z.string(), z.looseObject({}));

const readRules = (section: SettingsSection): PriceRules =>
  (parseJson(Rules, section.valueOf("PriceRules")) ?? {}) as PriceRules;

/** A model's own rule; undefined without one. */
export function readRule(section: SettingsSection, model: string): PriceRule | undefined {
  const rules = readRules(section);
  return Object.hasOwn(rules, model) ? rules[model] : undefined;
}

/** Puts a model's rule into the section, where it waits until it is saved. */
export function writeRule(section: SettingsSection, model: string, rule: PriceRule): void {
  section.set("PriceRules", JSON.stringify({ ...readRules(section), [model]: rule }, undefined, 2));
}
