import type { OptionKey } from "@turnpike/contract/options/option-definitions";
import { QUERY_TIMEOUT_MS } from "@turnpike/shared/mongo/query";
import type { ClientSession } from "mongoose";
import type { OptionDoc, OptionModel, OptionRevisionModel } from "./option-models.ts";

export type StoredOption = { readonly key: string; readonly value: string };
export type OptionStore = ReturnType<typeof createOptionStore>;

const REVISION_ID = "options";

/** The only file that accesses stored options. Values of secret options are encrypted here. */
export function createOptionStore(deps: { options: OptionModel; revisions: OptionRevisionModel }) {
  const { options, revisions } = deps;
  return {
    /** The current revision, 0 before the first change. */
    async revision(): Promise<number> {
      const doc = await revisions.findById(REVISION_ID).maxTimeMS(QUERY_TIMEOUT_MS).lean();
      return doc?.revision ?? 0;
    },
    async readAll(): Promise<StoredOption[]> {
      const docs = await options.find().maxTimeMS(QUERY_TIMEOUT_MS).lean<OptionDoc[]>();
      return docs.map(({ _id, value }) => ({ key: _id, value }));
    },
    /** The stored value, undefined when the default is in effect. */
    async read(key: OptionKey, session?: ClientSession): Promise<string | undefined> {
      const doc = await options
        .findById(key, undefined, session ? { session } : {})
        .maxTimeMS(QUERY_TIMEOUT_MS)
        .lean();
      return doc?.value;
    },
    /** Begins a change: takes the next revision, which serializes concurrent changes. */
    async nextRevision(session: ClientSession): Promise<number> {
      const doc = await revisions
        .findOneAndUpdate(
          { _id: REVISION_ID },
          { $inc: { revision: 1 } },
          { session, upsert: true, returnDocument: "after" },
        )
        .lean();
      return doc.revision;
    },
    async write(key: OptionKey, value: string, session: ClientSession): Promise<void> {
      await options.updateOne({ _id: key }, { $set: { value } }, { session, upsert: true });
    },
    /** Restores an option's default. */
    async remove(key: OptionKey, session: ClientSession): Promise<void> {
      await options.deleteOne({ _id: key }, { session });
    },
  };
}
