import { CHANNEL_STATUS } from "@turnpike/contract/limits";
import { createLookupHash, createSecretBox } from "@turnpike/shared/crypto/secret-box";
import { AppError } from "@turnpike/shared/errors/app-error";
import { parseObject } from "@turnpike/shared/accounts/json-object";
import { inTransaction } from "@turnpike/shared/mongo/mongo";
import { applyInput, NEW_CHANNEL } from "../../services/channel/src/channels/channel-fields.ts";
import { createKeyRing, splitKeys } from "../../services/channel/src/channels/channel-keys.ts";
import {
  type ChannelDoc,
  channelModel,
  routingRevisionModel,
} from "../../services/channel/src/channels/channel-model.ts";
import { createChannelStore } from "../../services/channel/src/channels/channel-store.ts";
import { placeOfType } from "./channel-type.ts";
import type { SourceRow } from "./open-source.ts";
import { createNumbers, importedId, type ImportPlace, knownTargets } from "./place.ts";
import { type Dialect, flagOf, textOf, wholeOf } from "./source-rows.ts";

const STATUSES: readonly number[] = Object.values(CHANNEL_STATUS);
const PRIORITY_MIN = -999;

/** one-api stores some provider-specific fields in a JSON of its own. */
function otherOf(row: SourceRow): string {
  const other = textOf(row, "other");
  if (other !== "") return other;
  try {
    const config = JSON.parse(textOf(row, "config") || "{}") as Record<string, unknown>;
    const found =
      config["api_version"] ?? config["region"] ?? config["plugin"] ?? config["library_id"] ?? config["user_id"];
    return typeof found === "string" ? found : "";
  } catch {
    return "";
  }
}

/** An empty object has no content; older ones may be stored as "null". */
const jsonOf = (row: SourceRow, name: string): string => {
  const text = textOf(row, name).trim();
  return ["", "null", "{}"].includes(text) ? "" : text;
};

/** Why and when the source system disabled a channel. */
export function whyOff(row: SourceRow, status: number): Pick<ChannelDoc, "statusReason" | "statusAtSeconds"> {
  if (status !== CHANNEL_STATUS.autoDisabled) return { statusReason: "", statusAtSeconds: 0 };
  const { status_reason: reason, status_time: at } = parseObject(textOf(row, "other_info"));
  return {
    statusReason: typeof reason === "string" ? reason : "",
    statusAtSeconds: typeof at === "number" && Number.isSafeInteger(at) ? at : 0,
  };
}

/**
 * Parses a row of `channels` of any of the three products and validates it by the rules for new channels; throws
 * AppError for the first rule it breaks.
 */
export function readChannel(row: SourceRow, dialect: Dialect) {
  const sourceType = wholeOf(row, "type");
  const place = placeOfType(dialect, sourceType);
  if (!place)
    throw new AppError("channel_type_unsupported", `no type ${sourceType}`, { params: { type: String(sourceType) } });
  const fields = applyInput(NEW_CHANNEL, {
    name: textOf(row, "name").trim() || `channel ${wholeOf(row, "id")}`,
    type: place.type,
    baseUrl: textOf(row, "base_url").trim() || (place.baseUrl ?? ""),
    openaiOrganization: textOf(row, "openai_organization"),
    other: otherOf(row),
    models: textOf(row, "models"),
    group: textOf(row, "group"),
    modelMapping: jsonOf(row, "model_mapping"),
    statusCodeMapping: jsonOf(row, "status_code_mapping"),
    setting: jsonOf(row, "setting"),
    paramOverride: jsonOf(row, "param_override"),
    priority: Math.max(PRIORITY_MIN, wholeOf(row, "priority")),
    weight: Math.max(0, wholeOf(row, "weight")),
    autoBan: row["auto_ban"] === undefined || row["auto_ban"] === null || flagOf(row, "auto_ban") ? 1 : 0,
    testModel: textOf(row, "test_model"),
    tag: textOf(row, "tag"),
    modelPrefix: textOf(row, "model_prefix"),
  });
  const keys = splitKeys(place.type, textOf(row, "key"));
  if (keys.length === 0) throw new AppError("channel_name_and_key_required", "no key");
  return { fields, keys };
}

/** Imports channels with encrypted keys; returns the new ids by source id. */
export async function importChannels(place: ImportPlace): Promise<Map<number, number>> {
  const { connection, collections, source, report, imported, label } = place;
  const store = createChannelStore({ channels: channelModel(connection), revisions: routingRevisionModel(connection) });
  const keyRing = createKeyRing({
    secretBox: createSecretBox(place.masterKey),
    lookupHash: createLookupHash(place.masterKey),
  });
  const known = await knownTargets(place, "channels");
  const there = await channelModel(connection).find({}, { _id: 1 }).lean<{ _id: number }[]>();
  const numbers = createNumbers(place, "channels", new Set(there.map(({ _id }) => _id)));
  const targets = new Map<number, number>();
  for (const row of source.rows("channels", "id")) {
    const sourceId = wholeOf(row, "id");
    const before = known.get(String(sourceId));
    const used = wholeOf(row, "used_quota");
    try {
      const { fields, keys } = readChannel(row, place.dialect);
      const figures = { rows: 1, keys: keys.length, used };
      report.source("channels", figures);
      if (before) {
        targets.set(sourceId, before.target);
        report.target("channels", before.figures);
        continue;
      }
      const _id = numbers.take(sourceId);
      targets.set(sourceId, _id);
      if (place.isDryRun) continue;
      const status = wholeOf(row, "status");
      const doc: ChannelDoc = {
        _id,
        ...fields,
        keys: keyRing.seal(keys),
        status: STATUSES.includes(status) ? status : CHANNEL_STATUS.disabled,
        ...whyOff(row, status),
        responseTimeMs: wholeOf(row, "response_time"),
        testedAtSeconds: wholeOf(row, "test_time"),
        createdAtSeconds: wholeOf(row, "created_time") || place.nowSeconds,
      };
      await inTransaction(connection, async (session) => {
        await store.insert(doc, session);
        await store.nextRevision(session);
        await collections.channelTotals.updateOne(
          { _id },
          { $inc: { quota: used, requestCount: 0 } },
          { session, upsert: true },
        );
        await imported.insertOne(
          { _id: importedId(place, "channels", sourceId), label, table: "channels", target: _id, figures },
          { session },
        );
        await numbers.keep(session);
      });
      const written = await store.get(_id);
      const total = await collections.channelTotals.findOne({ _id });
      report.target("channels", { rows: 1, keys: written.keys.length, used: total?.quota ?? 0 });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      report.note(
        `channel ${sourceId} (${textOf(row, "name")}, type ${wholeOf(row, "type")}) is left out: ${error.code}`,
      );
    }
  }
  return targets;
}
