import { type OptionDefinition, type OptionKey, OPTIONS } from "@turnpike/contract/options/option-definitions";
import { checkOptionValue } from "@turnpike/contract/options/option-validation";
import { text } from "../../../lib/text/i18n-source.ts";
import { findJsonProblem, findKeyLine, type JsonProblem } from "../../../lib/api/json-problem.ts";

/** The error of a setting: a source sentence of the console with its values, or one of the contract's. */
export type SettingProblem = { readonly message: string; readonly values?: Readonly<Record<string, string | number>> };

/** The line of the first entry that a contract's error names; line 1 when it names none. */
function findEntryLine(source: string, problem: string): number {
  const parsed: unknown = JSON.parse(source);
  const names = typeof parsed === "object" && parsed !== null ? Object.keys(parsed) : [];
  const name = names.find((one) => one !== "" && problem.startsWith(`${one} `));
  return name === undefined ? 1 : findKeyLine(source, name);
}

/** The error of a JSON setting, with its line; undefined when it may be stored. */
export function findJsonSettingProblem(key: OptionKey, value: string): JsonProblem | undefined {
  const syntax = findJsonProblem(value);
  if (syntax) return syntax;
  const message = checkOptionValue(key, value);
  return message === undefined ? undefined : { message, line: findEntryLine(value, message), column: 1 };
}

/** The error of any setting; undefined when it may be stored. */
export function findSettingProblem(key: OptionKey, value: string): SettingProblem | undefined {
  const { type }: OptionDefinition = OPTIONS[key];
  if (type === "json") return findJsonSettingProblem(key, value) && { message: text("不是合法的 JSON 字符串") };
  const message = checkOptionValue(key, value);
  return message === undefined ? undefined : { message };
}

type Fallback = { readonly single: string; readonly input: string; readonly completion: string };

/** Fallback pricing is either a per-call price or both ratios. */
export function findFallbackProblem({ single, input, completion }: Fallback): SettingProblem | undefined {
  const hasSingle = Number(single) > 0;
  const hasRatio = Number(input) > 0 || Number(completion) > 0;
  const half = Number(input) > 0 !== Number(completion) > 0;
  return (hasSingle && hasRatio) || half
    ? { message: text("请检查兜底倍率配置：使用单次价格时不能设置倍率，使用倍率时需要同时设置输入和补全倍率") }
    : undefined;
}
