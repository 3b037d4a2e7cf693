import type { Channel, ChannelCreateBody } from "@turnpike/contract/api/channel";
import { channelTypeOf } from "@turnpike/contract/api/channel-types";
import { z } from "zod";
import { text } from "../../lib/i18n-source.ts";
import { findJsonProblem } from "../../lib/json-check.ts";
import { joinNames, splitNames } from "../../lib/names.ts";
import { PRIORITY_MIN, WEIGHT_MIN } from "./channel-limits.ts";

const isObjectText = (value: string): boolean =>
  value.trim() === "" || (value.trim().startsWith("{") && findJsonProblem(value) === undefined);

const jsonObject = z.string().refine(isObjectText, text("必须是合法的 JSON 对象"));
const whole = z.number(text("请输入数字")).int(text("必须是整数"));

const fields = {
  name: z.string().trim().min(1, text("请填写渠道名称")),
  type: z.number(),
  key: z.string(),
  base_url: z
    .string()
    .trim()
    .refine((value) => value === "" || /^https?:\/\/[^/\s]+/.test(value), text("必须是 http 或 https 地址")),
  models: z.array(z.string()).min(1, text("请至少选择一个模型！")),
  groups: z.array(z.string()).min(1, text("请至少选择一个分组")),
  priority: whole.min(PRIORITY_MIN, text("优先级不能小于 -999")),
  weight: whole.min(WEIGHT_MIN, text("权重必须是非负整数！")),
  tag: z.string().trim(),
  test_model: z.string().trim(),
  model_prefix: z.string().trim(),
  openai_organization: z.string().trim(),
  auto_ban: z.boolean(),
  model_mapping: jsonObject,
  status_code_mapping: jsonObject,
  param_override: jsonObject,
  setting: jsonObject,
};

/** The channel editor's fields; the key is required only while the channel has none. */
export const channelForm = (hasKey: boolean) =>
  z.object(fields).check(({ value, issues }) => {
    if (!hasKey && value.key.trim() === "") {
      issues.push({ code: "custom", path: ["key"], message: text("请填写密钥"), input: value.key });
    }
    if (channelTypeOf(value.type)?.baseUrl === "" && value.base_url === "") {
      issues.push({ code: "custom", path: ["base_url"], message: text("该类型的渠道必须填写地址"), input: "" });
    }
  });
export type ChannelValues = z.infer<ReturnType<typeof channelForm>>;

export const NEW_CHANNEL: ChannelValues = {
  name: "",
  type: 1,
  key: "",
  base_url: "",
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
};

/** A stored channel as the form shows it; its key stays where it is. */
export const valuesOf = (channel: Channel): ChannelValues => ({
  name: channel.name,
  type: channel.type,
  key: "",
  base_url: channel.base_url,
  models: splitNames(channel.models),
  groups: splitNames(channel.group),
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
});

/** The form as the wire has it; an empty key keeps the stored one. */
export function bodyOf({ groups, models, auto_ban, base_url, key, ...rest }: ChannelValues): ChannelCreateBody {
  return {
    ...rest,
    key: key.trim(),
    base_url: base_url.replace(/\/+$/, ""),
    models: joinNames(models),
    group: joinNames(groups),
    auto_ban: auto_ban ? 1 : 0,
  };
}

/** How many keys a key text holds: commas and new lines separate them. */
export const countKeys = (key: string): number => key.split(/[,\n]/).filter((part) => part.trim() !== "").length;

/** Whether an address ends in /v1, which the gateway adds by itself. */
export const endsInVersion = (baseUrl: string): boolean => /\/v1\/*$/.test(baseUrl.trim());
