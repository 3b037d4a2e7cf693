import type { Channel, ChannelCreateBody } from "@turnpike/contract/api/channels/channel";
import { CHANNEL_STATUS } from "@turnpike/contract/codes";
import { getTypeName, type ResolvedChannel } from "./configuration.ts";
import type { DeclaredChannel } from "./file-schema.ts";
import { parseTable, splitList } from "./values.ts";

const toJsonText = (table: Readonly<Record<string, unknown>>): string =>
  Object.keys(table).length === 0 ? "" : JSON.stringify(table);

/** The form of `/api` without keys. */
export const toChannelBody = (channel: ResolvedChannel): Omit<ChannelCreateBody, "key"> => ({
  name: channel.name,
  type: channel.typeId,
  base_url: channel.base_url,
  models: channel.models.join(","),
  group: channel.groups.join(","),
  priority: channel.priority,
  weight: channel.weight,
  tag: channel.tag,
  model_prefix: channel.model_prefix,
  test_model: channel.test_model,
  auto_ban: channel.auto_ban ? 1 : 0,
  other: channel.other,
  openai_organization: channel.openai_organization,
  max_input_tokens: channel.max_input_tokens,
  model_mapping: toJsonText(channel.model_mapping),
  status_code_mapping: toJsonText(channel.status_code_mapping),
  setting: toJsonText(channel.setting),
  param_override: toJsonText(channel.param_override),
  cost: toJsonText(channel.cost),
});

/** A channel of the site as a file declares it, without its keys. One that the system disabled counts as enabled. */
export const toDeclaredChannel = (channel: Channel): Omit<DeclaredChannel, "key"> => ({
  name: channel.name,
  type: getTypeName(channel.type),
  status: channel.status === CHANNEL_STATUS.disabled ? "disabled" : "enabled",
  base_url: channel.base_url,
  models: splitList(channel.models),
  groups: splitList(channel.group),
  priority: channel.priority,
  weight: channel.weight,
  tag: channel.tag,
  model_prefix: channel.model_prefix,
  test_model: channel.test_model,
  auto_ban: channel.auto_ban === 1,
  other: channel.other,
  openai_organization: channel.openai_organization,
  max_input_tokens: channel.max_input_tokens,
  model_mapping: parseTable<string>(channel.model_mapping),
  status_code_mapping: parseTable(channel.status_code_mapping) as DeclaredChannel["status_code_mapping"],
  setting: parseTable(channel.setting) as DeclaredChannel["setting"],
  param_override: parseTable(channel.param_override) as DeclaredChannel["param_override"],
  cost: parseTable(channel.cost) as DeclaredChannel["cost"],
});

/** What the site shows of a channel's keys; it changes with them. */
export const toKeyMark = ({ key_hint: hint, key_count: count }: Pick<Channel, "key_hint" | "key_count">): string =>
  `${hint}/${count}`;
