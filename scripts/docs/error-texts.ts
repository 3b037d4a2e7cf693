import type { RelayErrorCode } from "../../services/relay/src/core/errors/relay-error.ts";

/** Why the model API refuses a call and what the caller can do, in English and Chinese. */
export const RELAY_ERROR_TEXTS: Readonly<Record<RelayErrorCode, { readonly en: string; readonly zh: string }>> = {
  invalid_request: {
    en: "A field of the request is missing or wrong; `param` names it. Correct it; a repeated call fails again.",
    zh: "请求中缺少字段或字段有误，`param` 给出字段名。请修改后再发，重试无效。",
  },
  body_too_large: {
    en: "The body is larger than the site allows. Send less, or images by address.",
    zh: "请求体超过站点上限。请缩小内容，或用地址传图片。",
  },
  model_required: { en: "The request names no model.", zh: "请求没有写 `model`。" },
  sensitive_words_detected: {
    en: "The prompt contains a word that the site blocks.",
    zh: "提示词包含站点屏蔽的词。",
  },
  content_filter: {
    en: "The response contained a word that the site blocks, and was stopped.",
    zh: "回答包含站点屏蔽的词，已中止。",
  },
  browser_extension_blocked: {
    en: "The call came from a browser extension that the site refuses.",
    zh: "调用来自站点拒绝的浏览器扩展。",
  },
  model_not_found: {
    en: "No channel of your group serves this model. `GET /v1/models` lists those that you may call.",
    zh: "你的分组没有提供该模型的渠道。`GET /v1/models` 列出可用模型。",
  },
  previous_response_not_found: {
    en: "The stored response has expired or belongs to another key. Send the whole conversation.",
    zh: "之前的响应已过期或属于其他密钥。请发送完整对话。",
  },
  not_found: { en: "The path does not exist.", zh: "路径不存在。" },
  method_not_allowed: { en: "The path exists, the HTTP method does not.", zh: "路径存在，但不支持该 HTTP 方法。" },
  invalid_api_key: {
    en: "No key was sent, it is unknown, or the token of an issuer is not accepted.",
    zh: "没有发送密钥、密钥不存在，或签发方的令牌未被接受。",
  },
  token_expired: { en: "The token has expired.", zh: "令牌已过期。" },
  token_disabled: { en: "The token is disabled.", zh: "令牌已禁用。" },
  token_quota_exhausted: { en: "The token's quota is used up.", zh: "令牌额度已用尽。" },
  user_banned: { en: "The token's owner is banned.", zh: "令牌所有者已被封禁。" },
  ip_not_allowed: { en: "The token may not be used from this address.", zh: "令牌不允许从该地址使用。" },
  model_not_allowed: { en: "The token may not call this model.", zh: "令牌不允许调用该模型。" },
  group_not_allowed: { en: "The token's group is no longer open to its owner.", zh: "令牌的分组对其所有者不再可用。" },
  channel_pin_not_allowed: {
    en: "Only administrators may name a channel in the key.",
    zh: "只有管理员可以在密钥中指定渠道。",
  },
  insufficient_user_quota: {
    en: "The balance does not cover the call's estimated cost. Top up, or lower `max_tokens`.",
    zh: "余额不足以支付预估费用。请充值，或调低 `max_tokens`。",
  },
  insufficient_token_quota: {
    en: "The token's remaining quota does not cover the call's estimated cost.",
    zh: "令牌剩余额度不足以支付预估费用。",
  },
  rate_limit_exceeded: {
    en: "A limit of requests, tokens or concurrent calls is reached. Wait for `Retry-After` seconds.",
    zh: "达到请求数、Token 数或并发上限。请等待 `Retry-After` 秒。",
  },
  unsupported_parameter: {
    en: "The gateway does not support this field with this value, on any channel: `background: true`.",
    zh: "网关在任何渠道上都不支持该字段的这个值：`background: true`。",
  },
  unsupported_service_tier: {
    en: "The model has no price for the requested service tier.",
    zh: "该模型没有所请求服务等级的价格。",
  },
  model_price_error: {
    en: "The model has no price. Ask the administrator to set one.",
    zh: "该模型没有价格。请联系管理员设置。",
  },
  no_available_channel: {
    en: "All channels that serve the model are out of use at the moment. Try again later.",
    zh: "提供该模型的渠道目前都不可用。请稍后再试。",
  },
  service_unavailable: {
    en: "A part of the gateway is down. Try again after `Retry-After` seconds.",
    zh: "网关的某个部分不可用。请在 `Retry-After` 秒后重试。",
  },
  upstream_error: {
    en: "The upstream failed and no other channel could serve the call. You are not charged.",
    zh: "上游失败，且没有其他渠道可用。不收费。",
  },
  upstream_timeout: { en: "The upstream did not respond in time. You are not charged.", zh: "上游超时。不收费。" },
  stream_interrupted: {
    en: "The upstream cut a stream that had begun. You pay for what was delivered.",
    zh: "上游中断了已开始的流。只收取已返回部分的费用。",
  },
  api_not_implemented: {
    en: "The provider has this endpoint, the gateway does not.",
    zh: "提供商有此接口，但网关没有实现。",
  },
  max_cost_exceeded: {
    en: "`x-turnpike-max-cost` does not cover the prompt and the shortest response. Raise it, or shorten the prompt.",
    zh: "`x-turnpike-max-cost` 不足以支付提示词和最短的回答。请提高上限，或缩短提示词。",
  },
  idempotency_conflict: {
    en: "The first call with this `Idempotency-Key` has no response that could be sent: it was too large to be stored, or its relay died. After `Retry-After` try again, else use a new key.",
    zh: "使用该 `Idempotency-Key` 的首次调用没有可返回的响应：太大而未保存，或其中继已退出。有 `Retry-After` 时稍后重试，否则换一个键。",
  },
  idempotency_key_reused: {
    en: "The `Idempotency-Key` was used for a call with another body. Use a new key for each call.",
    zh: "该 `Idempotency-Key` 已用于内容不同的调用。每次调用请使用新的键。",
  },
  internal_error: {
    en: "A fault of the gateway. Report the request id to the administrator.",
    zh: "网关内部错误。请把请求 ID 告诉管理员。",
  },
};
