import { type ClientSession, type Connection, type Model, Schema } from "mongoose";
import { QUERY_TIMEOUT_MS } from "./query.ts";

type RevisionDoc = { _id: string; revision: number };
export type RevisionModel = Model<RevisionDoc>;

/** Defines the model of a collection with a single document: the revision of data that other services copy. */
export function defineRevisionModel(name: string, collection: string): (mongo: Connection) => RevisionModel {
  const schema = new Schema<RevisionDoc>(
    { _id: { type: String, required: true }, revision: { type: Number, required: true } },
    { collection, strict: "throw", autoIndex: false, versionKey: false },
  );
  return (mongo) => mongo.model<RevisionDoc>(name, schema);
}

/** The revision of data that other services copy; `id` names its document. */
export const createRevision = (revisions: RevisionModel, id: string) => ({
  /** The current revision, 0 before the first change. */
  async revision(): Promise<number> {
    const doc = await revisions.findById(id).maxTimeMS(QUERY_TIMEOUT_MS).lean();
    return doc?.revision ?? 0;
  },
  /** Takes the next revision in the transaction of a change. Concurrent changes conflict here, so they are serialized. */
  async nextRevision(session: ClientSession): Promise<number> {
    const update = { $inc: { revision: 1 } };
    const options = { session, upsert: true, returnDocument: "after" } as const;
    const doc = await revisions.findOneAndUpdate({ _id: id }, update, options).lean();
    return doc.revision;
  },
});
