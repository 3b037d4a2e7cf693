import { type OptionDefinition, type OptionKey, OPTIONS } from "@turnpike/contract/options/option-definitions";
import { checkOptionValue } from "@turnpike/contract/options/option-validation";
import { text } from "../../../lib/i18n-source.ts";
import { findJsonProblem, findKeyLine, type JsonProblem } from "../../../lib/json-problem.ts";

/** What is wrong with a setting: a source sentence of the console with its values, or one of the contract's. */
export type SettingProblem = { readonly message: string; readonly values?: Readonly<Record<string, string | number>> };

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const WRONG_ENTRY = {
  ratios: { is: (value: unknown) => typeof value === "number" && value >= 0, message: text("值必须是不小于 0 的数字") },
  texts: { is: (value: unknown) => typeof value === "string", message: text("值必须是文本") },
} as const;

/** What is wrong with a JSON setting, at its line; undefined when it may be stored. */
export function findJsonSettingProblem(key: OptionKey, value: string): JsonProblem | undefined {
  const definition: OptionDefinition = OPTIONS[key];
  const syntax = findJsonProblem(value);
  if (syntax) return syntax;
  const parsed: unknown = JSON.parse(value);
  const { shape } = definition;
  if (isRecord(parsed) && (shape === "ratios" || shape === "texts")) {
    const { is, message } = WRONG_ENTRY[shape];
    const wrong = Object.entries(parsed).find(([, entry]) => !is(entry));
    if (wrong) return { message, line: findKeyLine(value, wrong[0]), column: 1 };
  }
  const message = checkOptionValue(key, value);
  return message === undefined ? undefined : { message, line: 1, column: 1 };
}

function findNumberProblem(definition: OptionDefinition, value: string): SettingProblem | undefined {
  if (value.trim() === "") return definition.default === "" ? undefined : { message: text("请输入数字") };
  const number = Number(value);
  if (!Number.isFinite(number)) return { message: text("请输入数字") };
  if (definition.type === "integer" && !Number.isSafeInteger(number)) return { message: text("必须是整数") };
  const { min, max } = definition;
  if (min !== undefined && number < min) return { message: text("不能小于 {{min}}"), values: { min } };
  if (max !== undefined && number > max) return { message: text("不能大于 {{max}}"), values: { max } };
  return undefined;
}

/** What is wrong with any setting; undefined when it may be stored. */
export function findSettingProblem(key: OptionKey, value: string): SettingProblem | undefined {
  const definition: OptionDefinition = OPTIONS[key];
  if (definition.type === "json") {
    return findJsonSettingProblem(key, value) && { message: text("不是合法的 JSON 字符串") };
  }
  if (definition.type === "integer" || definition.type === "number") return findNumberProblem(definition, value);
  const message = checkOptionValue(key, value);
  return message === undefined ? undefined : { message };
}

type Fallback = { readonly single: string; readonly input: string; readonly completion: string };

/** Fallback pricing is one price a call, or both ratios, not a mixture. */
export function findFallbackProblem({ single, input, completion }: Fallback): SettingProblem | undefined {
  const hasSingle = Number(single) > 0;
  const hasRatio = Number(input) > 0 || Number(completion) > 0;
  const half = Number(input) > 0 !== Number(completion) > 0;
  return (hasSingle && hasRatio) || half
    ? { message: text("请检查兜底倍率配置：使用单次价格时不能设置倍率，使用倍率时需要同时设置输入和补全倍率") }
    : undefined;
}
