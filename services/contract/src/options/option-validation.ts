import { findRepeatedKey } from "./repeated-keys.ts";
import { findCycle, findRouteCycle, type ModelAliases, type ModelFallbacks } from "./model-routes.ts";
import { isOptionKey, type OptionDefinition, OPTIONS } from "./option-definitions.ts";
import { checkEntryFormat, checkTextFormat } from "./option-formats.ts";

const TEXT_LENGTH_MAX = 500_000;
const SECRET_LENGTH_MAX = 8_000;
const DECIMAL = /^-?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function checkEntries({ shape, format }: OptionDefinition, entries: [string, unknown][]): string | undefined {
  for (const [name, entry] of entries) {
    if (name === "") return "名称不能为空";
    if (shape === "ratios" && (typeof entry !== "number" || entry < 0)) return `${name} 必须是不小于 0 的数字`;
    if (shape === "texts" && typeof entry !== "string") return `${name} 必须是文本`;
    const wrong = format && checkEntryFormat(format, name, entry);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

const writeCycle = (cycle: readonly string[] | undefined): string | undefined =>
  cycle && `${cycle.join(" → ")} 形成循环`;

function checkCycles(entries: Readonly<Record<string, unknown>>): string | undefined {
  const next = Object.entries(entries).map(([name, entry]) => [name, [entry].flat().map(String)] as const);
  return writeCycle(findCycle(Object.fromEntries(next)));
}

/** The texts of the options ModelAliases and ModelFallbacks; "" for none. */
export type ModelRouteTexts = { readonly aliases: string; readonly fallbacks: string };

/**
 * The cycle that aliases and fallbacks form together, though neither has one alone, as a Chinese source sentence. Texts that come later
 * precede earlier ones for the same name, as a token's precede the site's. Both must be valid values of their options.
 */
export function checkModelRoutes(...texts: readonly ModelRouteTexts[]): string | undefined {
  const merge = <Entries>(read: (of: ModelRouteTexts) => string): Entries =>
    Object.assign({}, ...texts.map((of) => JSON.parse(read(of) || "{}") as object)) as Entries;
  const aliases = merge<ModelAliases>((of) => of.aliases);
  return writeCycle(findRouteCycle({ aliases, fallbacks: merge<ModelFallbacks>((of) => of.fallbacks) }));
}

function checkJson(definition: OptionDefinition, value: string): string | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(value);
  } catch {
    return "不是合法的 JSON 字符串";
  }
  if (definition.shape === "array") {
    if (!Array.isArray(parsed)) return "必须是 JSON 数组";
    return checkEntries(
      definition,
      parsed.map((entry: unknown, index) => [`#${index + 1}`, entry]),
    );
  }
  if (!isRecord(parsed)) return "必须是 JSON 对象";
  const repeated = findRepeatedKey(value);
  if (repeated !== undefined) return `${repeated} 重复`;
  return checkEntries(definition, Object.entries(parsed)) ?? (definition.acyclic ? checkCycles(parsed) : undefined);
}

function checkNumber(definition: OptionDefinition, value: string): string | undefined {
  if (value === "" && definition.default === "") return undefined;
  const parsed = Number(value);
  if (!DECIMAL.test(value.trim()) || !Number.isFinite(parsed)) return "请输入数字";
  if (definition.type === "integer" && !Number.isSafeInteger(parsed)) return "必须是整数";
  if (definition.min !== undefined && parsed < definition.min) return `不能小于 ${definition.min}`;
  if (definition.max !== undefined && parsed > definition.max) return `不能大于 ${definition.max}`;
  return undefined;
}

function checkText({ choices, format, maxLength, secret }: OptionDefinition, value: string): string | undefined {
  if (choices) return choices.includes(value) ? undefined : `必须是 ${choices.join(", ")} 之一`;
  const longest = maxLength ?? (secret ? SECRET_LENGTH_MAX : TEXT_LENGTH_MAX);
  if (value.length > longest) return `不能超过 ${longest} 个字符`;
  return format === undefined || value.trim() === "" ? undefined : checkTextFormat(format, value.trim());
}

/** The error of an option's value, as a Chinese source sentence; undefined when it may be stored. */
export function checkOptionValue(key: string, value: string): string | undefined {
  if (!isOptionKey(key)) return "未知的设置项";
  const definition: OptionDefinition = OPTIONS[key];
  if (definition.type === "boolean") return value === "true" || value === "false" ? undefined : "必须是 true 或 false";
  if (definition.type === "json") return checkJson(definition, value);
  return definition.type === "text" ? checkText(definition, value) : checkNumber(definition, value);
}
