import { CHANNEL_STATUS } from "@turnpike/contract/codes";
import { CHANNEL_PRIORITY_MIN, CHANNEL_WEIGHT_MIN } from "@turnpike/contract/limits";
import { AppError } from "@turnpike/shared/errors/app-error";
import { parseObject } from "@turnpike/shared/accounts/json-object";
import { applyInput, NEW_CHANNEL } from "../../services/channel/src/channels/channel-fields.ts";
import { splitKeys } from "../../services/channel/src/channels/channel-keys.ts";
import type { ChannelDoc } from "../../services/channel/src/channels/channel-model.ts";
import { toChannelType } from "./channel-type.ts";
import type { ReadChannel } from "./source/install-reader.ts";
import type { SourceRow } from "./source/open-source.ts";
import { type Dialect, getFlag, getText, getInteger } from "./source/source-rows.ts";

const STATUSES: readonly number[] = Object.values(CHANNEL_STATUS);

/** one-api stores some provider-specific fields in a JSON of its own. */
function getOther(row: SourceRow): string {
  const other = getText(row, "other");
  if (other !== "") return other;
  try {
    const config = JSON.parse(getText(row, "config") || "{}") as Record<string, unknown>;
    const found =
      config["api_version"] ?? config["region"] ?? config["plugin"] ?? config["library_id"] ?? config["user_id"];
    return typeof found === "string" ? found : "";
  } catch {
    return "";
  }
}

/** An empty object has no content; older ones may be stored as "null". */
const getJson = (row: SourceRow, name: string): string => {
  const text = getText(row, name).trim();
  return ["", "null", "{}"].includes(text) ? "" : text;
};

/** Why and when the source system disabled a channel. */
export function whyOff(row: SourceRow, status: number): Pick<ChannelDoc, "statusReason" | "statusAtSeconds"> {
  if (status !== CHANNEL_STATUS.autoDisabled) return { statusReason: "", statusAtSeconds: 0 };
  const { status_reason: reason, status_time: at } = parseObject(getText(row, "other_info"));
  return {
    statusReason: typeof reason === "string" ? reason : "",
    statusAtSeconds: typeof at === "number" && Number.isSafeInteger(at) ? at : 0,
  };
}

/**
 * Parses a row of `channels` of any of the three products and validates it by the rules for new channels; throws
 * AppError for the first rule it breaks.
 */
function readFields(row: SourceRow, dialect: Dialect) {
  const sourceType = getInteger(row, "type");
  const target = toChannelType(dialect, sourceType);
  if (!target)
    throw new AppError("channel_type_unsupported", `no type ${sourceType}`, { params: { type: String(sourceType) } });
  const fields = applyInput(NEW_CHANNEL, {
    name: getText(row, "name").trim() || `channel ${getInteger(row, "id")}`,
    type: target.type,
    baseUrl: getText(row, "base_url").trim() || (target.baseUrl ?? ""),
    openaiOrganization: getText(row, "openai_organization"),
    other: getOther(row),
    models: getText(row, "models"),
    group: getText(row, "group"),
    modelMapping: getJson(row, "model_mapping"),
    statusCodeMapping: getJson(row, "status_code_mapping"),
    setting: getJson(row, "setting"),
    paramOverride: getJson(row, "param_override"),
    priority: Math.max(CHANNEL_PRIORITY_MIN, getInteger(row, "priority")),
    weight: Math.max(CHANNEL_WEIGHT_MIN, getInteger(row, "weight")),
    autoBan: row["auto_ban"] === undefined || row["auto_ban"] === null || getFlag(row, "auto_ban") ? 1 : 0,
    testModel: getText(row, "test_model"),
    tag: getText(row, "tag"),
    modelPrefix: getText(row, "model_prefix"),
  });
  const keys = splitKeys(target.type, getText(row, "key"));
  if (keys.length === 0) throw new AppError("channel_name_and_key_required", "no key");
  return { fields, keys };
}

/** Parses a row of `channels` of any of the three products. */
export function readChannel(row: SourceRow, dialect: Dialect, nowSeconds: number): ReadChannel {
  const status = getInteger(row, "status");
  return {
    sourceId: getInteger(row, "id"),
    label: `${getInteger(row, "id")} (${getText(row, "name")}, type ${getInteger(row, "type")})`,
    used: getInteger(row, "used_quota"),
    read: () => readFields(row, dialect),
    state: {
      status: STATUSES.includes(status) ? status : CHANNEL_STATUS.disabled,
      ...whyOff(row, status),
      responseTimeMs: getInteger(row, "response_time"),
      testedAtSeconds: getInteger(row, "test_time"),
      createdAtSeconds: getInteger(row, "created_time") || nowSeconds,
    },
  };
}
