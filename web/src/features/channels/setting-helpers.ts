import { text } from "../../lib/i18n-source.ts";

/** A part of the channel's `setting` that the console can write by itself; texts are source sentences. */
export type SettingHelper = {
  readonly key: string;
  readonly label: string;
  readonly help: string;
  readonly choices: readonly { readonly value: string | undefined; readonly label: string }[];
};

export const SETTING_HELPERS: readonly SettingHelper[] = [
  {
    key: "on_client_disconnect",
    label: text("客户端中途断开时"),
    help: text("取消上游请求时按已产生的内容计费；读完上游的回答可以得到准确用量。"),
    choices: [
      { value: undefined, label: text("取消上游请求（默认）") },
      { value: "drain", label: text("读完上游的回答") },
    ],
  },
];

const parse = (source: string): Record<string, unknown> | undefined => {
  if (source.trim() === "") return {};
  try {
    const parsed: unknown = JSON.parse(source);
    const isObject = typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
    return isObject ? { ...parsed } : undefined;
  } catch {
    return undefined;
  }
};

/** What a setting text holds under a key; undefined when it holds nothing there, or is no JSON object. */
export const settingOf = (source: string, key: string): unknown => parse(source)?.[key];

/** Whether a text can be changed part by part. */
export const isSettable = (source: string): boolean => parse(source) !== undefined;

/** The text with one part changed, or taken out; a broken text stays as it is. */
export function withSetting(source: string, key: string, value: unknown): string {
  const setting = parse(source);
  if (!setting) return source;
  if (value === undefined) delete setting[key];
  else setting[key] = value;
  return Object.keys(setting).length === 0 ? "" : JSON.stringify(setting, undefined, 2);
}
