import { text } from "../../../lib/i18n-source.ts";
import type { SettingPanel } from "../section/setting-panel.ts";

export const ROUTING: SettingPanel = {
  id: "routing",
  title: text("渠道选择"),
  description: text("同一优先级里有多个渠道时选哪一个，失败后多久内换渠道再试。"),
  fields: [
    {
      key: "RetryBudgetSeconds",
      label: text("重试时限（秒）"),
      help: text("请求开始这么久之后不再换渠道重试；0 表示不限。"),
    },
    {
      key: "RetryAfterMaxSeconds",
      label: text("最长等待上游（秒）"),
      help: text("上游用 Retry-After 要求等待时，暂时绕开那个密钥，最多这么久；0 表示不理会。"),
    },
    {
      key: "ResponseItemsSeconds",
      label: text("Responses 项目保存时间（秒）"),
      help: text("渠道只支持聊天接口时，/v1/responses 的后续轮次仍可引用前面的项目，最多这么久；0 表示不保存。"),
    },
    {
      key: "LatencyRoutingEnabled",
      label: text("优先更快的渠道"),
      help: text("按最近的首字时间调整权重，慢的渠道只得到少量请求。"),
    },
    {
      key: "StickyRoutingEnabled",
      label: text("同一对话固定渠道"),
      help: text("同一对话尽量用同一个渠道和密钥，让上游的提示词缓存生效；渠道不可用时自动换到其他渠道。"),
    },
  ],
};

export const RESPONSE_CACHE: SettingPanel = {
  id: "response-cache",
  title: text("响应缓存"),
  description: text(
    "temperature 为 0 的相同请求直接返回保存的回答，每个用户各自保存。只对打开了缓存的渠道或令牌生效。",
  ),
  fields: [
    {
      key: "ResponseCacheEnabled",
      label: text("启用响应缓存"),
      help: text("还要在渠道的额外设置里写上 response_cache，或在令牌里打开。"),
    },
    {
      key: "ResponseCacheRatio",
      label: text("缓存命中的价格比例"),
      help: text("命中时按原价的多少收费，0 到 1。"),
      only: "ResponseCacheEnabled",
    },
    {
      key: "ResponseCacheSeconds",
      label: text("保存时间（秒）"),
      help: text("回答保存多久。"),
      only: "ResponseCacheEnabled",
    },
    {
      key: "ResponseCacheEntries",
      label: text("最多保存的回答数"),
      help: text("整个站点的上限，每个回答不超过 256 KB，占用 Redis 的内存。"),
      only: "ResponseCacheEnabled",
    },
  ],
};
