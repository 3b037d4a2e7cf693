import type { OptionKey } from "@turnpike/contract/options/option-definitions";
import { QUERY_TIMEOUT_MS } from "@turnpike/shared/mongo/query";
import { createRevision, type RevisionModel } from "@turnpike/shared/mongo/revision";
import type { ClientSession } from "mongoose";
import type { OptionDoc, OptionModel } from "./option-models.ts";

export type StoredOption = { readonly key: string; readonly value: string };
export type OptionStore = ReturnType<typeof createOptionStore>;

const REVISION_ID = "options";

/** The only file that accesses stored options. Values of secret options are encrypted here. */
export function createOptionStore(deps: { options: OptionModel; revisions: RevisionModel }) {
  const { options, revisions } = deps;
  return {
    ...createRevision(revisions, REVISION_ID),
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
    async write(key: OptionKey, value: string, session: ClientSession): Promise<void> {
      await options.updateOne({ _id: key }, { $set: { value } }, { session, upsert: true });
    },
    /** Restores an option's default. */
    async remove(key: OptionKey, session: ClientSession): Promise<void> {
      await options.deleteOne({ _id: key }, { session });
    },
  };
}
