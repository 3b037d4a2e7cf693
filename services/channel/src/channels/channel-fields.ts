import { CHANNEL_PRIORITY_MIN, CHANNEL_WEIGHT_MIN } from "@turnpike/contract/limits";
import { getChannelType } from "@turnpike/contract/api/channels/channel-types";
import { splitTypedList } from "@turnpike/contract/texts/typed-text";
import type { ChannelInput } from "@turnpike/proto/channel/v1/channel_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import {
  checkCost,
  checkModelMapping,
  checkRegions,
  checkSetting,
  checkStatusCodeMapping,
  readJsonObject,
} from "./channel-json.ts";
import type { ChannelDoc } from "./channel-model.ts";

/** The fields an admin sets, except keys and status. */
export type ChannelFields = Omit<
  ChannelDoc,
  | "_id"
  | "keys"
  | "status"
  | "statusReason"
  | "statusAtSeconds"
  | "responseTimeMs"
  | "testedAtSeconds"
  | "balance"
  | "balanceAtSeconds"
  | "createdAtSeconds"
>;

/** The defaults of a new channel. */
export const NEW_CHANNEL: ChannelFields = {
  name: "",
  type: 0,
  openaiOrganization: "",
  maxInputTokens: 0,
  baseUrl: "",
  other: "",
  modelMapping: "",
  statusCodeMapping: "",
  setting: "",
  paramOverride: "",
  cost: "",
  models: [],
  groups: ["default"],
  autoBan: true,
  testModel: "",
  priority: 0,
  weight: 0,
  tag: "",
  modelPrefix: "",
};

/** The admin-set fields of a channel. */
export const toChannelFields = (doc: ChannelDoc): ChannelFields => {
  const names = Object.keys(NEW_CHANNEL) as (keyof ChannelFields)[];
  return Object.fromEntries(names.map((name) => [name, doc[name]])) as ChannelFields;
};

const LENGTHS_MAX = {
  name: 255,
  openai_organization: 255,
  base_url: 2_048,
  other: 4_096,
  model_mapping: 100_000,
  status_code_mapping: 10_000,
  setting: 100_000,
  param_override: 100_000,
  cost: 200_000,
  models: 200_000,
  group: 10_000,
  test_model: 255,
  tag: 255,
  model_prefix: 64,
} as const;
/** Its regions may differ by model. */
const VERTEX_TYPE = 41;
/** The default of an empty `other`: iFlytek's version. */
const OTHER_DEFAULTS: Readonly<Record<number, string>> = { 18: "v2.1" };
const MODEL_NAME_BYTES_MAX = 255;

function readText(field: keyof typeof LENGTHS_MAX, value: string | undefined, current: string): string {
  if (value === undefined) return current;
  const text = value.trim();
  const max = LENGTHS_MAX[field];
  if (text.length <= max) return text;
  throw new AppError("text_too_long", `${field} is too long`, { params: { field, max: String(max) } });
}

type NumberError = "channel_number_invalid" | "channel_priority_invalid" | "channel_weight_invalid";

function readInteger(field: string, value: number, rule: { min: number; code: NumberError }): number {
  if (Number.isSafeInteger(value) && value >= rule.min) return value;
  throw new AppError(rule.code, `${field} is not a whole number of at least ${rule.min}`, { params: { field } });
}

/** The groups of a comma-separated list, in order, without blanks and duplicates; new lines separate too. */
export const splitList = (text: string): string[] => [
  ...new Set(
    text
      .split(/[,\r\n]/)
      .map((part) => part.trim())
      .filter((part) => part !== ""),
  ),
];

function readModels(text: string | undefined, current: string[]): string[] {
  const models = text === undefined ? current : splitTypedList(readText("models", text, ""));
  if (models.length === 0) throw new AppError("channel_models_required", "no model");
  const tooLong = models.find((model) => Buffer.byteLength(model) > MODEL_NAME_BYTES_MAX);
  if (tooLong === undefined) return models;
  throw new AppError("channel_model_name_invalid", "a model name is too long", {
    params: { model: `${tooLong.slice(0, 40)}…` },
  });
}

function readGroups(text: string | undefined, current: string[]): string[] {
  if (text === undefined) return current;
  const groups = splitList(readText("group", text, ""));
  return groups.length === 0 ? NEW_CHANNEL.groups : groups;
}

/** A tag as stored; throws text_too_long. */
export const readTag = (text: string): string => readText("tag", text, "");

/** A prefix precedes model names in comma-separated lists. */
function readPrefix(text: string | undefined, current: string): string {
  const prefix = readText("model_prefix", text, current);
  if (!/[,\s]/.test(prefix)) return prefix;
  throw new AppError("invalid_input", "a prefix with a comma or blank", { params: { detail: "model_prefix" } });
}

function readAutoBan(value: number | undefined, current: boolean): boolean {
  if (value === undefined) return current;
  if (value === 0 || value === 1) return value === 1;
  throw new AppError("invalid_input", "auto_ban is neither 0 nor 1", { params: { detail: "auto_ban" } });
}

/**
 * An address without trailing slashes; "" for the type's own. Throws unless it is http(s) or ws(s) without credentials.
 */
export function readBaseUrl(text: string): string {
  const address = readText("base_url", text, "").replace(/\/+$/, "");
  if (address === "") return "";
  const url = URL.parse(address);
  // One provider is called over a WebSocket.
  const isWeb = ["http:", "https:", "ws:", "wss:"].includes(url?.protocol ?? "");
  if (url && isWeb && url.username === "" && url.password === "" && !/\s/.test(address)) return address;
  throw new AppError("channel_base_url_invalid", "not an http or https URL");
}

/** Throws unless the type is known, and has a default address where the channel has none. */
export function checkTypeAndAddress(typeId: number, baseUrl: string): void {
  const type = getChannelType(typeId);
  if (!type) throw new AppError("channel_type_unsupported", `no type ${typeId}`, { params: { type: String(typeId) } });
  if (type.baseUrl === "" && baseUrl === "") throw new AppError("channel_base_url_required", "no address");
}

function readJsonFields(input: ChannelInput, current: ChannelFields) {
  const fields = {
    modelMapping: readText("model_mapping", input.modelMapping, current.modelMapping),
    statusCodeMapping: readText("status_code_mapping", input.statusCodeMapping, current.statusCodeMapping),
    setting: readText("setting", input.setting, current.setting),
    paramOverride: readText("param_override", input.paramOverride, current.paramOverride),
    cost: readText("cost", input.cost, current.cost ?? ""),
  };
  checkModelMapping(fields.modelMapping);
  checkStatusCodeMapping(fields.statusCodeMapping);
  checkSetting(fields.setting);
  readJsonObject("param_override", fields.paramOverride);
  checkCost(fields.cost);
  return fields;
}

/** Type-specific fields; a field that an edit does not touch is not validated again. */
function readOther(input: ChannelInput, current: ChannelFields, type: number): string {
  const other = readText("other", input.other, current.other) || (OTHER_DEFAULTS[type] ?? "");
  if (type === VERTEX_TYPE && (input.other !== undefined || input.type !== undefined)) checkRegions(other);
  return other;
}

function readNumbers(input: ChannelInput, current: ChannelFields) {
  const { priority = current.priority, weight = current.weight, maxInputTokens = current.maxInputTokens } = input;
  return {
    priority: readInteger("priority", priority, { min: CHANNEL_PRIORITY_MIN, code: "channel_priority_invalid" }),
    weight: readInteger("weight", weight, { min: CHANNEL_WEIGHT_MIN, code: "channel_weight_invalid" }),
    maxInputTokens: readInteger("max_input_tokens", maxInputTokens, { min: 0, code: "channel_number_invalid" }),
  };
}

/**
 * The channel's fields after an admin's input: present fields change, others stay. Throws by the first rule that the
 * result breaks.
 */
export function applyInput(current: ChannelFields, input: ChannelInput): ChannelFields {
  const name = readText("name", input.name, current.name);
  if (name === "") throw new AppError("channel_name_and_key_required", "no name");
  const type = input.type ?? current.type;
  const baseUrl = input.baseUrl === undefined ? current.baseUrl : readBaseUrl(input.baseUrl);
  checkTypeAndAddress(type, baseUrl);
  return {
    name,
    type,
    baseUrl,
    models: readModels(input.models, current.models),
    groups: readGroups(input.group, current.groups),
    modelPrefix: readPrefix(input.modelPrefix, current.modelPrefix),
    autoBan: readAutoBan(input.autoBan, current.autoBan),
    openaiOrganization: readText("openai_organization", input.openaiOrganization, current.openaiOrganization),
    other: readOther(input, current, type),
    testModel: readText("test_model", input.testModel, current.testModel),
    tag: readText("tag", input.tag, current.tag),
    ...readNumbers(input, current),
    ...readJsonFields(input, current),
  };
}
