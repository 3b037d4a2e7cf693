import type { Channel } from "@turnpike/contract/api/channels/channel";
import { z } from "zod/mini";
import { text } from "../../../lib/text/i18n-source.ts";
import { joinCommaList } from "../../../lib/text/comma-list.ts";
import type { TagEdit } from "../channel-bulk-api.ts";
import { modelMappingField } from "../editor/channel-form.ts";
import { CHANNEL_PRIORITY_MIN, CHANNEL_WEIGHT_MIN } from "@turnpike/contract/limits";
import { getCommonValue } from "../channel-rows.ts";

// Text, so that an empty field can leave every channel unchanged.
const integerOrEmpty = (min: number, message: string) =>
  z
    .string()
    .check(
      z.refine((value) => value.trim() === "" || (Number.isInteger(Number(value)) && Number(value) >= min), message),
    );

/**
 * The fields of the tag editor; an empty field leaves each channel unchanged, except that an empty name removes the tag
 * from its channels.
 */
export const TagForm = z.object({
  name: z.string().check(z.trim()),
  priority: integerOrEmpty(CHANNEL_PRIORITY_MIN, text("优先级必须是整数！")),
  weight: integerOrEmpty(CHANNEL_WEIGHT_MIN, text("权重必须是非负整数！")),
  models: z.array(z.string()),
  groups: z.array(z.string()),
  model_mapping: modelMappingField,
});
export type TagValues = z.infer<typeof TagForm>;

const commonText = (channels: readonly Channel[], pick: (channel: Channel) => number): string =>
  String(getCommonValue(channels, pick) ?? "");

/**
 * The common values of a tag's channels; lists and mapping start empty, because they would replace each channel's own.
 */
export const toTagValues = (tag: string, channels: readonly Channel[]): TagValues => ({
  name: tag,
  priority: commonText(channels, ({ priority }) => priority),
  weight: commonText(channels, ({ weight }) => weight),
  models: [],
  groups: [],
  model_mapping: "",
});

/** The form's changes in wire format; undefined when there are none. */
export function toTagEdit(tag: string, before: TagValues, after: TagValues): TagEdit | undefined {
  const number = (name: "priority" | "weight"): number | undefined =>
    after[name].trim() === "" || after[name].trim() === before[name] ? undefined : Number(after[name]);
  const [priority, weight] = [number("priority"), number("weight")];
  const edit: TagEdit = {
    tag,
    ...(after.name === tag ? {} : { new_tag: after.name }),
    ...(priority === undefined ? {} : { priority }),
    ...(weight === undefined ? {} : { weight }),
    ...(after.models.length === 0 ? {} : { models: joinCommaList(after.models) }),
    ...(after.groups.length === 0 ? {} : { groups: joinCommaList(after.groups) }),
    ...(after.model_mapping.trim() === "" ? {} : { model_mapping: after.model_mapping }),
  };
  return Object.keys(edit).length === 1 ? undefined : edit;
}
