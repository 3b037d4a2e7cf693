import { business, FAILED_PRECONDITION, INVALID_ARGUMENT, NOT_FOUND, type ErrorRow, UNAVAILABLE } from "./error-row.ts";

/** Errors of channels; part of ERRORS. */
export const CHANNEL_ERRORS = {
  channel_not_found: business(NOT_FOUND, "渠道不存在", "The channel does not exist"),
  channel_name_and_key_required: business(
    INVALID_ARGUMENT,
    "请填写渠道名称和渠道密钥！",
    "Please enter the channel's name and key",
  ),
  channel_models_required: business(INVALID_ARGUMENT, "请至少选择一个模型！", "Please choose at least one model"),
  channel_type_unsupported: business(
    INVALID_ARGUMENT,
    "不支持的渠道类型 {{type}}",
    "Channel type {{type}} is not supported",
  ),
  channel_json_invalid: business(
    INVALID_ARGUMENT,
    "{{field}} 必须是合法的 JSON 对象",
    "{{field}} must be a JSON object",
  ),
  channel_base_url_invalid: business(
    INVALID_ARGUMENT,
    "渠道地址必须是 http 或 https 地址",
    "The channel's address must be an http or https URL",
  ),
  channel_base_url_required: business(
    INVALID_ARGUMENT,
    "该类型的渠道必须填写地址",
    "Channels of this type need an address",
  ),
  channel_key_required: business(INVALID_ARGUMENT, "请填写密钥", "Please enter the key"),
  channel_region_required: business(
    INVALID_ARGUMENT,
    "该类型的渠道必须填写部署地区",
    "Channels of this type need a region",
  ),
  model_mapping_unsupported: business(
    INVALID_ARGUMENT,
    "不支持全局模型映射，请在渠道里设置模型映射",
    "Mappings for all channels are not supported; set the mapping of a channel",
  ),
  channel_mapping_invalid: business(
    INVALID_ARGUMENT,
    "{{field}} 中 {{key}} 的值无效",
    "The value of {{key}} in {{field}} is not valid",
  ),
  channel_cost_invalid: business(
    INVALID_ARGUMENT,
    "渠道成本 {{path}} 无效：{{detail}}",
    "The cost of the channel is not valid at {{path}}: {{detail}}",
  ),
  channel_number_invalid: business(INVALID_ARGUMENT, "{{field}} 必须是整数", "{{field}} must be an integer"),
  channel_priority_invalid: business(
    INVALID_ARGUMENT,
    "优先级必须是整数！",
    "The priority must be an integer of -999 or more",
  ),
  channel_weight_invalid: business(
    INVALID_ARGUMENT,
    "权重必须是非负整数！",
    "The weight must be an integer of 0 or more",
  ),
  channel_status_invalid: business(
    INVALID_ARGUMENT,
    "渠道状态只能是启用或禁用",
    "A channel can only be enabled or disabled",
  ),
  channel_model_name_invalid: business(
    INVALID_ARGUMENT,
    "模型名称 {{model}} 无效",
    "The model name {{model}} is not valid",
  ),
  channel_selection_required: business(
    INVALID_ARGUMENT,
    "请先选择要删除的通道！",
    "Please choose the channels to delete first",
  ),
  channel_tag_selection_required: business(
    INVALID_ARGUMENT,
    "请先选择要设置标签的渠道！",
    "Please choose the channels to tag first",
  ),
  channel_tag_required: business(INVALID_ARGUMENT, "标签不能为空！", "The tag must not be empty"),
  channel_tag_not_found: business(NOT_FOUND, "标签 {{tag}} 下没有渠道", "No channel has the tag {{tag}}"),
  channel_tag_unchanged: business(INVALID_ARGUMENT, "没有任何修改！", "Nothing was changed"),
  channel_too_many: business(
    INVALID_ARGUMENT,
    "一次最多处理 {{max}} 个渠道",
    "At most {{max}} channels can be changed at once",
  ),
  channel_test_running: business(FAILED_PRECONDITION, "测试已在运行中", "A test of all channels is already running"),
  channel_test_failed: business(FAILED_PRECONDITION, "{{detail}}", "{{detail}}"),
  fetch_models_failed: business(
    UNAVAILABLE,
    "获取模型列表失败：{{detail}}",
    "The model list could not be read: {{detail}}",
  ),
  fetch_prices_failed: business(
    UNAVAILABLE,
    "获取上级站点的价格表失败：{{detail}}",
    "The price list of the reseller could not be read: {{detail}}",
  ),
  fetch_balance_failed: business(UNAVAILABLE, "查询余额失败：{{detail}}", "The balance could not be read: {{detail}}"),
  report_failed: business(
    UNAVAILABLE,
    "无法获取上游的用量报告：{{detail}}",
    "The provider's usage report could not be read: {{detail}}",
  ),
  report_unsupported: business(
    FAILED_PRECONDITION,
    "这个渠道类型没有用量报告",
    "The provider of this channel type has no usage report",
  ),
  report_key_missing: business(FAILED_PRECONDITION, "渠道没有报告密钥", "The channel has no report key"),
} as const satisfies Record<string, ErrorRow>;
