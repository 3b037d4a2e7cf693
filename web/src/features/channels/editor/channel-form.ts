import type { UseFormReturn } from "react-hook-form";
import type { Channel, ChannelCreateBody } from "@turnpike/contract/api/channels/channel";
import { getChannelType } from "@turnpike/contract/api/channels/channel-types";
import { COST_SOURCES } from "@turnpike/contract/pricing/channel-cost";
import { z } from "zod/mini";
import { text } from "../../../lib/text/i18n-source.ts";
import { findJsonProblem } from "../../../lib/api/json-problem.ts";
import { parseJson } from "../../../lib/api/parse-json.ts";
import { joinCommaList, splitCommaList } from "../../../lib/text/comma-list.ts";
import { CHANNEL_PRIORITY_MIN, CHANNEL_WEIGHT_MIN } from "@turnpike/contract/limits";
import { findCostValuesProblem, toCostText, toCostValues } from "./channel-cost-form.ts";
import { OTHER_DEFAULTS, VERTEX_TYPE } from "./type-fields.ts";

const NAME_AND_KEY = text("请填写渠道名称和渠道密钥！");

const isObjectText = (value: string): boolean =>
  value.trim() === "" || (value.trim().startsWith("{") && findJsonProblem(value) === undefined);

/** A JSON object as text, or empty; `message` names the invalid field. */
export const jsonObject = (message: string) => z.string().check(z.refine(isObjectText, message));
/** The priority of a channel or tag. */
export const priorityField = z
  .number(text("优先级必须是整数！"))
  .check(
    z.refine(Number.isSafeInteger, text("优先级必须是整数！")),
    z.gte(CHANNEL_PRIORITY_MIN, text("优先级不能小于 -999")),
  );
/** The weight of a channel or tag. */
export const weightField = z
  .number(text("权重必须是非负整数！"))
  .check(
    z.refine(Number.isSafeInteger, text("权重必须是非负整数！")),
    z.gte(CHANNEL_WEIGHT_MIN, text("权重必须是非负整数！")),
  );
export const modelMappingField = jsonObject(text("模型重定向必须是合法的 JSON 格式！"));

const fields = {
  name: z.string().check(z.trim(), z.minLength(1, NAME_AND_KEY)),
  type: z.number(),
  key: z.string(),
  base_url: z.string().check(
    z.trim(),
    z.refine((value) => value === "" || /^(https?|wss?):\/\/[^/\s]+/.test(value), text("必须是 http 或 https 地址")),
  ),
  other: z.string().check(z.trim()),
  models: z.array(z.string()).check(z.minLength(1, text("请至少选择一个模型！"))),
  groups: z.array(z.string()).check(z.minLength(1, text("请至少选择一个分组"))),
  priority: priorityField,
  weight: weightField,
  tag: z.string().check(z.trim()),
  test_model: z.string().check(z.trim()),
  model_prefix: z.string().check(z.trim(), z.regex(/^[^,\s]*$/, text("前缀不能有逗号和空格"))),
  openai_organization: z.string().check(z.trim()),
  auto_ban: z.boolean(),
  model_mapping: modelMappingField,
  status_code_mapping: jsonObject(text("状态码映射必须是合法的 JSON 格式！")),
  param_override: jsonObject(text("参数覆盖必须是合法的 JSON 格式！")),
  setting: jsonObject(text("渠道设置必须是合法的 JSON 格式！")),
  cost_source: z.enum(COST_SOURCES),
  cost_factor: z.union([z.number(), z.nan()]),
  cost_prices: z.string(),
  cost_group: z.string(),
};

/** The error of Vertex's regions when they are a JSON object of model names. */
function findRegionsProblem(other: string): string | undefined {
  if (!other.startsWith("{")) return undefined;
  if (findJsonProblem(other) !== undefined) return text("区域必须是合法的 JSON 格式！");
  return parseJson(z.record(z.string(), z.string()), other)?.["default"]
    ? undefined
    : text("区域的 JSON 必须有 default！");
}

/** The channel editor's fields; the key is required only while the channel has none. */
export const channelForm = (hasKey: boolean) =>
  z.object(fields).check(({ value, issues }) => {
    const refuse = (path: keyof typeof fields, message: string): void => {
      issues.push({ code: "custom", path: [path], message, input: value[path] });
    };
    if (!hasKey && value.key.trim() === "") refuse("key", NAME_AND_KEY);
    if (getChannelType(value.type)?.baseUrl === "" && value.base_url === "") {
      refuse("base_url", text("该类型的渠道必须填写地址"));
    }
    const regions = value.type === VERTEX_TYPE ? findRegionsProblem(value.other) : undefined;
    if (regions !== undefined) refuse("other", regions);
    const cost = findCostValuesProblem(value);
    if (cost) refuse(cost.field, cost.message);
  });
export type ChannelValues = z.infer<ReturnType<typeof channelForm>>;

/** The form of a channel, as its fields get it. */
export type ChannelFormReturn = UseFormReturn<ChannelValues>;

export const NEW_CHANNEL: ChannelValues = {
  name: getChannelType(1)?.name ?? "",
  type: 1,
  key: "",
  base_url: "",
  other: "",
  models: [],
  groups: ["default"],
  priority: 0,
  weight: 0,
  tag: "",
  test_model: "",
  model_prefix: "",
  openai_organization: "",
  auto_ban: true,
  model_mapping: "",
  status_code_mapping: "",
  param_override: "",
  setting: "",
  ...toCostValues(""),
};

/** A stored channel in the form; its key is not shown. */
export const toFormValues = (channel: Channel): ChannelValues => ({
  name: channel.name,
  type: channel.type,
  key: "",
  base_url: channel.base_url,
  other: channel.other,
  models: splitCommaList(channel.models),
  groups: splitCommaList(channel.group),
  priority: channel.priority,
  weight: channel.weight,
  tag: channel.tag,
  test_model: channel.test_model,
  model_prefix: channel.model_prefix,
  openai_organization: channel.openai_organization,
  auto_ban: channel.auto_ban === 1,
  model_mapping: channel.model_mapping,
  status_code_mapping: channel.status_code_mapping,
  param_override: channel.param_override,
  setting: channel.setting,
  ...toCostValues(channel.cost),
});

/** The form in wire format; an empty key keeps the stored one. */
export function toRequestBody({
  groups,
  models,
  auto_ban,
  base_url,
  key,
  other,
  cost_source,
  cost_factor,
  cost_prices,
  cost_group,
  ...rest
}: ChannelValues): ChannelCreateBody {
  return {
    ...rest,
    cost: toCostText({ cost_source, cost_factor, cost_prices, cost_group }),
    key: key.trim(),
    base_url: base_url.replace(/\/+$/, ""),
    other: other === "" ? (OTHER_DEFAULTS[rest.type] ?? "") : other,
    models: joinCommaList(models),
    group: joinCommaList(groups),
    auto_ban: auto_ban ? 1 : 0,
  };
}

/** Whether an address ends in /v1, which the gateway adds by itself. */
export const hasVersionPath = (baseUrl: string): boolean =>
  /\/v1\/*$/.test(baseUrl.trim()) && !/\/openai\/v1\/*$/.test(baseUrl.trim());
