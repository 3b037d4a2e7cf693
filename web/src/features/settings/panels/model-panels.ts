import { text } from "../../../lib/text/i18n-source.ts";
import { jsonList } from "../section/setting-codec.ts";
import type { SettingPanel } from "../section/setting-panel.ts";

export const RATE_LIMIT: SettingPanel = {
  id: "rate-limit",
  title: text("模型请求速率限制"),
  description: text("限制每个用户在一段时间内能发出多少次模型请求。"),
  fields: [
    {
      key: "ModelRequestRateLimitEnabled",
      label: text("启用速率限制"),
      help: text("超出时返回 429，并说明多久之后可以再试。"),
    },
    { key: "ModelRequestRateLimitDurationMinutes", label: text("时间窗口（分钟）"), help: text("在多长时间内计数。") },
    {
      key: "ModelRequestRateLimitCount",
      label: text("最多请求次数"),
      help: text("包括失败的请求；0 表示不限。"),
    },
    {
      key: "ModelRequestRateLimitSuccessCount",
      label: text("最多成功次数"),
      help: text("只计成功的请求，至少为 1。"),
    },
    {
      key: "ModelRequestRateLimitGroup",
      label: text("分组的限制"),
      help: text("分组名对应两个上限：最多请求次数和最多成功次数。没有写到的分组用上面的值。"),
      rows: 6,
      placeholder: '{"vip": [0, 5000]}',
    },
  ],
};

export const GLOBAL_MODELS: SettingPanel = {
  id: "global",
  title: text("全局"),
  description: text("对所有模型和渠道都生效。"),
  fields: [
    {
      key: "global.pass_through_request_enabled",
      label: text("请求透传"),
      help: text("把请求体原样发往上游，不做转换和覆盖。只适合接口完全相同的渠道。"),
      confirmOn: {
        title: text("透传所有请求？"),
        description: text("模型映射、参数覆盖和格式转换都不再生效，与上游接口不同的请求会失败。"),
        action: text("透传"),
      },
    },
    {
      key: "global.hide_upstream_error_enabled",
      label: text("隐藏上游的错误"),
      help: text("客户端只看到通用的错误，原文仍在日志里。"),
    },
    {
      key: "global.block_browser_extension_enabled",
      label: text("拒绝浏览器插件的请求"),
      help: text("来自浏览器扩展的调用会被拒绝。"),
    },
    {
      key: "general_setting.ping_interval_enabled",
      label: text("流式保活"),
      help: text("等待上游时定期发送保活的注释，避免连接被代理断开。"),
    },
    {
      key: "general_setting.ping_interval_seconds",
      label: text("保活间隔（秒）"),
      help: text("至少 1 秒。"),
      only: "general_setting.ping_interval_enabled",
    },
    {
      key: "global.rate_limit_exempt_enabled",
      label: text("允许分组免除速率限制"),
      help: text("这个分组的令牌不受模型请求速率限制。"),
    },
    {
      key: "global.rate_limit_exempt_group",
      label: text("免除速率限制的分组"),
      help: text("令牌所在的分组。"),
      only: "global.rate_limit_exempt_enabled",
    },
    {
      key: "global.safe_check_exempt_enabled",
      label: text("允许分组免除屏蔽词过滤"),
      help: text("这个分组的令牌不检查屏蔽词。"),
    },
    {
      key: "global.safe_check_exempt_group",
      label: text("免除屏蔽词过滤的分组"),
      help: text("令牌所在的分组。"),
      only: "global.safe_check_exempt_enabled",
    },
  ],
};

export const GEMINI: SettingPanel = {
  id: "gemini",
  title: "Gemini",
  description: text("发往 Gemini 渠道的请求怎样填写。"),
  fields: [
    {
      key: "gemini.safety_settings",
      label: text("安全设置"),
      help: text("每个安全类别的拦截程度，default 用于没有写到的类别。"),
      rows: 8,
    },
    {
      key: "gemini.version_settings",
      label: text("接口版本"),
      help: text("每个模型用哪个版本的接口，default 用于没有写到的模型。"),
      rows: 6,
    },
    {
      key: "gemini.supported_imagine_models",
      label: text("能生成图片的模型"),
      help: text("一行一个。这些模型的回答会要求带上图片。"),
      as: "area",
      rows: 6,
      codec: jsonList,
    },
    {
      key: "gemini.thinking_adapter_enabled",
      label: text("启用思考后缀"),
      help: text("模型名以 -thinking 或 -nothinking 结尾时，设置思考预算并去掉后缀。"),
    },
    {
      key: "gemini.thinking_adapter_budget_tokens_percentage",
      label: text("思考预算比例"),
      help: text("思考预算占最大输出 Token 的多少，0.002 到 1。"),
      only: "gemini.thinking_adapter_enabled",
    },
    {
      key: "gemini.models_supported_thinking_budget",
      label: text("支持思考预算的模型"),
      help: text("一行一个。"),
      as: "area",
      rows: 6,
      codec: jsonList,
    },
  ],
};

export const CLAUDE: SettingPanel = {
  id: "claude",
  title: "Claude",
  description: text("发往 Claude 渠道的请求怎样填写。"),
  fields: [
    {
      key: "claude.model_headers_settings",
      label: text("模型的请求头"),
      help: text("为模型追加的请求头：模型名、请求头名、值的列表。"),
      rows: 6,
      placeholder: '{"claude-3-7-sonnet-20250219": {"anthropic-beta": ["output-128k-2025-02-19"]}}',
    },
    {
      key: "claude.default_max_tokens",
      label: text("默认最大输出"),
      help: text("请求没有写 max_tokens 时用的值，default 用于没有写到的模型。"),
      rows: 6,
      placeholder: '{"default": 8192, "claude-3-haiku-20240307": 4096}',
    },
    {
      key: "claude.cache_breakpoints_enabled",
      label: text("插入缓存断点"),
      help: text(
        "OpenAI、Responses 和 Gemini 格式的请求发往 Claude 时，在工具、系统提示词和最后两轮用户消息后插入缓存断点。写入缓存按缓存写入价格收费，读取则更便宜。已带断点的请求不变。",
      ),
    },
    {
      key: "claude.thinking_adapter_enabled",
      label: text("启用思考后缀"),
      help: text("模型名以 -thinking 结尾时打开思考并去掉后缀。"),
    },
    {
      key: "claude.thinking_adapter_budget_tokens_percentage",
      label: text("思考预算比例"),
      help: text("思考预算占最大输出 Token 的多少，0.1 到 1。"),
      only: "claude.thinking_adapter_enabled",
    },
  ],
};
