import { text } from "../../../lib/text/i18n-source.ts";
import type { SettingField } from "../section/setting-panel.ts";

export const PRICE_FIELDS: readonly SettingField[] = [
  {
    key: "ModelRatio",
    label: text("模型倍率"),
    help: text("输入 Token 的价格，1 等于每百万 Token {{price}}。"),
    rows: 12,
  },
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
    help: text("提示里音频的 Token 价格是文字的几倍，没有设置时用内置的价格。"),
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

export const RULES: SettingField = {
  key: "PriceRules",
  label: text("价格规则（美元）"),
  help: text(
    "按模型的完整价格：每百万 Token 的美元价格（input、output、cache_read 等）、按提示长度的分段（bands）、服务等级（tiers）和地区系数（regions）。也接受 LiteLLM 的字段名。",
  ),
  rows: 12,
};
export const TIERS: SettingField = {
  key: "UnpricedTiers",
  label: text("没有价格的服务等级"),
  help: text("调用要求一个没有价格的服务等级（如 priority）时怎么办。"),
  choices: {
    refuse: text("拒绝调用"),
    strip: text("去掉等级后调用"),
    standard: text("按标准价格计费"),
  },
};

export const CONFIRM_FACTOR: SettingField = {
  key: "CatalogueConfirmFactor",
  label: text("需要再次确认的价格变化（倍）"),
  help: text("采用目录价格时，变化超过这个倍数的价格需要再次确认。"),
};

export const SCHEDULE: SettingField = {
  key: "CatalogueSchedule",
  label: text("每天比较价格目录"),
  help: text("有更新时通知管理员；自动采用只限于变化不超过下面倍数的价格。"),
  choices: { off: text("不比较"), propose: text("只提示"), apply: text("自动采用小的变化") },
};
export const CATALOGUE_SOURCE: SettingField = {
  key: "CatalogueSource",
  label: text("每天比较的目录"),
  help: text("目录的格式和公开地址。"),
  choices: {
    litellm: "LiteLLM",
    models_dev: "models.dev",
    ratio_config: text("同类站点的 /api/ratio_config"),
    pricing: text("同类站点的 /api/pricing"),
  },
};
export const CATALOGUE_URL: SettingField = {
  key: "CatalogueUrl",
  label: text("目录的网址"),
  help: text("留空用公开地址；同类站点必须填写。"),
};
export const APPLY_FACTOR: SettingField = {
  key: "CatalogueApplyFactor",
  label: text("自动采用的最大变化（倍）"),
  help: text("变化更大的价格和新模型的价格只提示。"),
};

/** The daily comparison of a catalogue. */
export const SCHEDULE_FIELDS: readonly SettingField[] = [SCHEDULE, CATALOGUE_SOURCE, CATALOGUE_URL, APPLY_FACTOR];

/** Prices that were taken over from a catalogue; they are changed by the comparison of catalogues. */
export const CATALOGUE_FIELDS: readonly SettingField[] = [
  {
    key: "CatalogueRules",
    label: text("采用的目录价格"),
    help: text("从更新的目录采用的价格，低于您自己设置的价格。"),
  },
  { key: "CatalogueDate", label: text("目录日期"), help: text("采用价格的那一天。") },
];

/** Prices with bands and tiers. */
export const RULE_FIELDS: readonly SettingField[] = [RULES, TIERS, CONFIRM_FACTOR, ...SCHEDULE_FIELDS];

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
  help: text("1 等于每百万 Token {{price}}。"),
};
export const COMPLETION: SettingField = {
  key: "fallback_completion_ratio",
  label: text("补全倍率"),
  help: text("输出价格是输入价格的几倍。"),
};

export const FALLBACK_FIELDS: readonly SettingField[] = [ENABLED, SINGLE, INPUT, COMPLETION];
