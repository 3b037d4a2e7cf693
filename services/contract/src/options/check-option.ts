import { isOptionKey, type OptionDefinition, OPTIONS } from "./option-definitions.ts";

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function checkJson(definition: OptionDefinition, value: string): string | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(value);
  } catch {
    return "不是合法的 JSON 字符串";
  }
  if (definition.shape === "array") return Array.isArray(parsed) ? undefined : "必须是 JSON 数组";
  if (!isRecord(parsed)) return "必须是 JSON 对象";
  const entries = Object.entries(parsed);
  if (definition.shape === "ratios") {
    const wrong = entries.find(([, entry]) => typeof entry !== "number" || entry < 0);
    return wrong && `${wrong[0]} 必须是不小于 0 的数字`;
  }
  if (definition.shape === "texts") {
    const wrong = entries.find(([, entry]) => typeof entry !== "string");
    return wrong && `${wrong[0]} 必须是文本`;
  }
  return undefined;
}

function checkNumber(definition: OptionDefinition, value: string): string | undefined {
  if (value === "" && definition.default === "") return undefined;
  const parsed = Number(value);
  if (value.trim() === "" || !Number.isFinite(parsed)) return "请输入数字";
  if (definition.type === "integer" && !Number.isSafeInteger(parsed)) return "必须是整数";
  if (definition.min !== undefined && parsed < definition.min) return `不能小于 ${definition.min}`;
  if (definition.max !== undefined && parsed > definition.max) return `不能大于 ${definition.max}`;
  return undefined;
}

/** What is wrong with an option's value, as a Chinese source sentence; undefined when it may be stored. The key must be known. */
export function checkOptionValue(key: string, value: string): string | undefined {
  if (!isOptionKey(key)) return "未知的设置项";
  const definition: OptionDefinition = OPTIONS[key];
  if (definition.type === "boolean") return value === "true" || value === "false" ? undefined : "必须是 true 或 false";
  if (definition.type === "json") return checkJson(definition, value);
  if (definition.type === "text") {
    return definition.choices && !definition.choices.includes(value)
      ? `必须是 ${definition.choices.join(", ")} 之一`
      : undefined;
  }
  return checkNumber(definition, value);
}
