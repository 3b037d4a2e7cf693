import type { ChannelSettingKey } from "@turnpike/contract/channel-setting";
import { text } from "../../../lib/text/i18n-source.ts";

/** A part of the channel's `setting` with its own field; texts are source sentences. */
export type SettingHelper = { readonly key: ChannelSettingKey; readonly label: string; readonly help: string } & (
  | { readonly kind: "choice"; readonly choices: readonly { readonly value: string; readonly label: string }[] }
  | { readonly kind: "flag" }
  | { readonly kind: "text"; readonly placeholder: string }
);

export const SETTING_HELPERS: readonly SettingHelper[] = [
  {
    key: "on_client_disconnect",
    label: text("客户端中途断开时"),
    help: text("取消上游请求时按已产生的内容计费；读完上游的回答可以得到准确用量。"),
    kind: "choice",
    choices: [
      { value: "", label: text("取消上游请求（默认）") },
      { value: "drain", label: text("读完上游的回答") },
    ],
  },
  {
    key: "proxy",
    label: text("代理"),
    help: text("调用上游时经过的 http、https 或 socks5 代理，可以带用户名和密码。默认没有。"),
    kind: "text",
    placeholder: "socks5://user:password@proxy.example.com:1080",
  },
  {
    key: "thinking_to_content",
    label: text("思考写进正文"),
    help: text("把上游的思考内容放在回答正文的 <think> 标签里。默认关闭。"),
    kind: "flag",
  },
  {
    key: "force_format",
    label: text("强制标准格式"),
    help: text("不原样转发，把回答重新写成标准格式。默认关闭。"),
    kind: "flag",
  },
  {
    key: "stream_support",
    label: text("上游的流式输出"),
    help: text("上游不支持流式输出时，等待完整回答，再以流的形式发给调用者。"),
    kind: "choice",
    choices: [
      { value: "", label: text("可以流式输出（默认）") },
      { value: "NON_STREAM_ONLY", label: text("只有完整回答") },
    ],
  },
  {
    key: "response_cache",
    label: text("缓存相同的请求"),
    help: text("温度为 0 的相同请求直接用缓存的回答，按系统设置的倍率计费。默认关闭。"),
    kind: "flag",
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

/** The value of a key in a setting text; undefined when it is absent, or the text is not a JSON object. */
export const getSetting = (source: string, key: string): unknown => parse(source)?.[key];

/** The text value of a key in a setting text; "" for any other value. */
export function settingText(source: string, key: string): string {
  const value = getSetting(source, key);
  return typeof value === "string" ? value : "";
}

/** Whether single parts of a text can be changed. */
export const isSettable = (source: string): boolean => parse(source) !== undefined;

/** The text with one part changed or removed; an invalid text is returned unchanged. */
export function setSetting(source: string, key: string, value: unknown): string {
  const setting = parse(source);
  if (!setting) return source;
  if (value === undefined) delete setting[key];
  else setting[key] = value;
  return Object.keys(setting).length === 0 ? "" : JSON.stringify(setting, undefined, 2);
}
