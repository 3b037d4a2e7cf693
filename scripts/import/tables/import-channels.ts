import { createLookupHash, createSecretBox } from "@turnpike/shared/crypto/secret-box";
import { AppError } from "@turnpike/shared/errors/app-error";
import { inTransaction } from "@turnpike/shared/mongo/mongo";
import { createKeyRing } from "../../../services/channel/src/channels/channel-keys.ts";
import {
  type ChannelDoc,
  channelModel,
  routingRevisionModel,
} from "../../../services/channel/src/channels/channel-model.ts";
import { createChannelStore } from "../../../services/channel/src/channels/channel-store.ts";
import type { Figures } from "../report.ts";
import { createNumbers, type ImportContext, type Numbers, readImported, recordImported } from "./import-context.ts";
import type { SourceId } from "../source/install-reader.ts";

type NewChannel = { readonly sourceId: SourceId; readonly doc: ChannelDoc; readonly figures: Figures };

/** Stores a channel with its total and reports what is stored. */
function createChannelWriter(context: ImportContext, numbers: Numbers) {
  const { connection, collections, report } = context;
  const store = createChannelStore({ channels: channelModel(connection), revisions: routingRevisionModel(connection) });
  return async function storeChannel({ sourceId, doc, figures }: NewChannel): Promise<void> {
    const { _id } = doc;
    const { used = 0 } = figures;
    await inTransaction(connection, async (session) => {
      await store.insert(doc, session);
      await store.nextRevision(session);
      await collections.channelTotals.updateOne(
        { _id },
        { $inc: { quota: used, requestCount: 0 } },
        { session, upsert: true },
      );
      await recordImported(context, { table: "channels", rows: [{ sourceId, target: _id, figures }] }, session);
      await numbers.store(session);
    });
    const written = await store.get(_id);
    const total = await collections.channelTotals.findOne({ _id });
    report.target("channels", {
      rows: 1,
      models: written.models.length,
      keys: written.keys.length,
      used: total?.quota ?? 0,
    });
  };
}

/** Imports channels with encrypted keys; returns the new ids by source id. */
export async function importChannels(context: ImportContext): Promise<Map<SourceId, number>> {
  const { connection, reader, report, masterKey, groups } = context;
  const keyRing = createKeyRing({ secretBox: createSecretBox(masterKey), lookupHash: createLookupHash(masterKey) });
  const known = await readImported(context, "channels");
  const stored = await channelModel(connection).find({}, { _id: 1 }).lean<{ _id: number }[]>();
  const numbers = createNumbers(context, "channels", new Set(stored.map(({ _id }) => _id)));
  const storeChannel = createChannelWriter(context, numbers);
  const targets = new Map<SourceId, number>();
  for (const { sourceId, label, used, read, state } of reader.readChannels()) {
    const before = known.get(String(sourceId));
    try {
      const { fields, keys } = read();
      // Rows of earlier versions have no number of models.
      const models = before && before.figures["models"] === undefined ? {} : { models: fields.models.length };
      const figures = { rows: 1, ...models, keys: keys.length, used };
      report.source("channels", figures);
      for (const group of fields.groups) groups.add("channel", group);
      if (before) {
        targets.set(sourceId, before.target);
        report.target("channels", before.figures);
        continue;
      }
      const _id = numbers.take(sourceId);
      targets.set(sourceId, _id);
      if (context.isDryRun) continue;
      await storeChannel({ sourceId, doc: { _id, ...fields, keys: keyRing.seal(keys), ...state }, figures });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      report.note(`channel ${label} is left out: ${error.code}`);
    }
  }
  return targets;
}
