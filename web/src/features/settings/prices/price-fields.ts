import { text } from "../../../lib/i18n-source.ts";
import type { SettingField } from "../section/setting-panel.ts";

export const PRICE_FIELDS: readonly SettingField[] = [
  { key: "ModelRatio", label: text("模型倍率"), help: text("输入 Token 的价格，1 等于每百万 Token $2。"), rows: 12 },
  { key: "CompletionRatio", label: text("补全倍率"), help: text("输出价格是输入价格的几倍。"), rows: 12 },
  { key: "ModelPrice", label: text("模型固定价格"), help: text("每次调用的价格（美元），优先于倍率。"), rows: 12 },
  {
    key: "CacheRatio",
    label: text("缓存倍率"),
    help: text("读取缓存的 Token 价格是输入价格的几倍，没有设置时为 1。"),
    rows: 12,
  },
  {
    key: "CreateCacheRatio",
    label: text("缓存写入倍率"),
    help: text("写入缓存的 Token 价格是输入价格的几倍，没有设置时为 1.25。"),
    rows: 8,
  },
  {
    key: "ImageRatio",
    label: text("图片输入倍率"),
    help: text("提示里图片的 Token 价格是文字的几倍，没有设置时为 1。"),
    rows: 8,
  },
  {
    key: "AudioRatio",
    label: text("音频输入倍率"),
    help: text("提示里音频的 Token 价格是文字的几倍，没有设置时用内置的倍率。"),
    rows: 8,
  },
  {
    key: "AudioCompletionRatio",
    label: text("音频输出倍率"),
    help: text("回答里音频的 Token 价格是音频输入的几倍，没有设置时为 2。"),
    rows: 8,
  },
  {
    key: "ToolPrices",
    label: text("工具价格（美元）"),
    help: text("每 1000 次工具调用的价格；audio_input 是每百万音频 Token 的价格。冒号后面是模型，* 代表任意结尾。"),
    rows: 12,
  },
];

export const ENABLED: SettingField = {
  key: "fallback_pricing_enabled",
  label: text("启用兜底价格"),
  help: text("关闭时，没有设置价格的模型不能调用。"),
};
export const SINGLE: SettingField = {
  key: "fallback_single_price",
  label: text("单次价格（美元）"),
  help: text("每次调用的价格，与倍率二选一。"),
};
export const INPUT: SettingField = {
  key: "fallback_input_ratio",
  label: text("输入倍率"),
  help: text("1 等于每百万 Token $2。"),
};
export const COMPLETION: SettingField = {
  key: "fallback_completion_ratio",
  label: text("补全倍率"),
  help: text("输出价格是输入价格的几倍。"),
};

export const FALLBACK_FIELDS: readonly SettingField[] = [ENABLED, SINGLE, INPUT, COMPLETION];
