import type { Channel } from "@turnpike/contract/api/channel";
import { z } from "zod";
import { text } from "../../lib/i18n-source.ts";
import { joinCommaList } from "../../lib/comma-list.ts";
import type { TagEdit } from "./channel-bulk-api.ts";
import { modelMappingField } from "./channel-form.ts";
import { PRIORITY_MIN, WEIGHT_MIN } from "./channel-limits.ts";
import { getCommonValue } from "./channel-rows.ts";

// Typed as text: an empty field leaves every channel its own.
const wholeOrEmpty = (min: number, message: string) =>
  z
    .string()
    .refine((value) => value.trim() === "" || (Number.isInteger(Number(value)) && Number(value) >= min), message);

/** The fields of the tag editor; what is left empty stays as each channel has it, but an empty name dissolves the tag. */
export const TagForm = z.object({
  name: z.string().trim(),
  priority: wholeOrEmpty(PRIORITY_MIN, text("优先级必须是整数！")),
  weight: wholeOrEmpty(WEIGHT_MIN, text("权重必须是非负整数！")),
  models: z.array(z.string()),
  groups: z.array(z.string()),
  model_mapping: modelMappingField,
});
export type TagValues = z.infer<typeof TagForm>;

const commonText = (channels: readonly Channel[], pick: (channel: Channel) => number): string =>
  String(getCommonValue(channels, pick) ?? "");

/** What all channels of a tag have in common; lists and mapping start empty, as they would replace what each channel has. */
export const toTagValues = (tag: string, channels: readonly Channel[]): TagValues => ({
  name: tag,
  priority: commonText(channels, ({ priority }) => priority),
  weight: commonText(channels, ({ weight }) => weight),
  models: [],
  groups: [],
  model_mapping: "",
});

/** What the form changes, as the wire has it; undefined when it changes nothing. */
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
