import { text } from "../../../lib/text/i18n-source.ts";
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
      key: "StoredResponseSeconds",
      label: text("Responses 保存时间（秒）"),
      help: text(
        "渠道自己不保存 /v1/responses 的响应时由 Turnpike 加密保存，供读取、续接和后台运行，最多这么久；0 表示不保存。",
      ),
    },
    {
      key: "StoredResponseUserMB",
      label: text("每个用户保存的 Responses（MB）"),
      help: text("用满后先删除最早的响应；占用 Redis 的内存。"),
    },
    {
      key: "StoredResponseMB",
      label: text("所有用户保存的 Responses（MB）"),
      help: text("用满后不再保存新的响应，请求照常处理；后台运行的请求被拒绝。"),
    },
    {
      key: "ResponsesWebSocketEnabled",
      label: text("Responses 的 WebSocket"),
      help: text("客户端可以在 /v1/responses 上用 WebSocket 连续请求多个响应。关闭时返回 426，客户端改用 HTTP。"),
    },
    {
      key: "StateLostPolicy",
      label: text("加密推理的账号已不在时"),
      help: text("加密推理只有产生它的账号能读。拒绝时客户端会重新发送整个对话；去掉推理则继续对话。"),
      choices: { fail: text("拒绝"), strip: text("去掉推理") },
    },
    {
      key: "HiddenReasoningOnDisconnect",
      label: text("推理模型的客户端断开时"),
      help: text(
        "隐藏的推理只出现在最后的用量里。读到底最多 30 秒，按真实用量收费；否则立即取消，按以往的推理比例收费。",
      ),
      choices: { drain: text("读到底"), share: text("按比例收费") },
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

export const MODEL_ROUTES: SettingPanel = {
  id: "model-routes",
  title: text("模型别名和备用模型"),
  description: text("一个名称对应哪个模型，模型失败后依次改用哪些模型；请求自己指定的备用模型优先。"),
  fields: [
    {
      key: "ModelAliases",
      label: text("模型别名"),
      help: text("名称到模型的 JSON 对象，例如 fast 对应 gpt-5-mini。按实际模型收费，别名出现在模型列表里。"),
      rows: 4,
    },
    {
      key: "ModelFallbacks",
      label: text("备用模型"),
      help: text(
        "模型到备用模型列表的 JSON 对象，例如 gpt-5 对应 [claude-sonnet-4-5]。只在开始输出前改用，按实际回答的模型收费。",
      ),
      rows: 4,
    },
    {
      key: "FallbackCauses",
      label: text("改用备用模型的原因"),
      help: text(
        "JSON 数组，可选 unavailable（不可用）、rate_limit（限流）、timeout（超时）、context_length（上下文过长）、content_filter（内容过滤）、budget（余额不足）。",
      ),
      rows: 4,
    },
  ],
};

export const MARGINS: SettingPanel = {
  id: "margins",
  title: text("成本和毛利"),
  description: text("成本是上游对调用的收费，在渠道里设置来源；只有管理员能看到。"),
  fields: [
    {
      key: "CheapestChannelGroups",
      label: text("优先最便宜的渠道的分组"),
      help: text(
        "这些分组的调用在同一优先级里先用成本最低的可用渠道，成本未知的最后。用逗号分隔，* 表示全部；默认没有。",
      ),
    },
    {
      key: "MarginAlertPercent",
      label: text("毛利警告线（成本的百分比）"),
      help: text("模型或渠道的毛利低于它时通知管理员。默认 0，即售价低于成本；-100 表示从不通知。"),
    },
  ],
};

export const CALL_COSTS: SettingPanel = {
  id: "call-costs",
  title: text("响应里的费用"),
  description: text("每个响应的 x-turnpike-cost 都是这次调用的费用（美元）；流式响应在末尾的 trailer 里。"),
  fields: [
    {
      key: "UsageCostEnabled",
      label: text("在用量里返回费用"),
      help: text("在响应的 usage 里加上 cost。关闭时只对请求里写了 usage: {include: true} 的调用返回。"),
    },
    {
      key: "LiteLLMHeadersEnabled",
      label: text("LiteLLM 的响应头"),
      help: text("同时用 LiteLLM 的名字返回费用、请求 ID 和模型，例如 x-litellm-response-cost。"),
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
