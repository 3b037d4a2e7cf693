import { CHANNEL_STATUS } from "@turnpike/contract/codes";
import type { ChannelInput } from "@turnpike/proto/channel/v1/channel_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { Actor } from "@turnpike/shared/grpc/context";
import type { ChannelChanges } from "./channel-changes.ts";
import { planEdit, readStatus } from "./channel-edit.ts";
import { applyInput, toChannelFields, NEW_CHANNEL } from "./channel-fields.ts";
import { type KeyRing, reenableKey, splitKeys } from "./channel-keys.ts";
import type { ChannelDoc } from "./channel-model.ts";
import type { ChannelFilter, ChannelStore } from "./channel-store.ts";

/** A copy of an automatically disabled channel starts disabled. */
const readNewStatus = (requested: number | undefined, source: ChannelDoc | undefined): number =>
  source && requested === CHANNEL_STATUS.autoDisabled
    ? CHANNEL_STATUS.disabled
    : readStatus(requested, CHANNEL_STATUS.enabled);

export type ChannelAdmin = ReturnType<typeof createChannelAdmin>;

/** Admin actions on channels. */
export function createChannelAdmin(deps: {
  store: ChannelStore;
  changes: ChannelChanges;
  keyRing: KeyRing;
  takeId: () => Promise<number>;
  nowMs: () => number;
}) {
  const { store, changes, keyRing, takeId, nowMs } = deps;

  const readNew = (input: ChannelInput, source: ChannelDoc | undefined): Omit<ChannelDoc, "_id"> => {
    const typedKeys = splitKeys(input.type ?? source?.type ?? 0, input.key ?? "");
    const keys = typedKeys.length > 0 || !source ? keyRing.seal(typedKeys) : reenableKey(source.keys);
    if ((input.name ?? source?.name ?? "").trim() === "" || keys.length === 0)
      throw new AppError("channel_name_and_key_required", "no name or no key");
    return {
      ...applyInput(source ? toChannelFields(source) : NEW_CHANNEL, input),
      keys,
      status: readNewStatus(input.status, source),
      statusReason: "",
      statusAtSeconds: 0,
      responseTimeMs: 0,
      testedAtSeconds: 0,
      createdAtSeconds: Math.floor(nowMs() / 1000),
    };
  };
  return {
    get: (id: number): Promise<ChannelDoc> => store.get(id),
    /** One page; a keyword is an id, a part of a name, or a full key. */
    list: (filter: Omit<ChannelFilter, "keywordHash">, range: { skip: number; limit: number }) =>
      store.list({ ...filter, keywordHash: keyRing.hash(filter.keyword) }, range),
    /** The same by tag: a page of tags as all their channels. */
    listTagged: (filter: Omit<ChannelFilter, "keywordHash">, range: { skip: number; limit: number }) =>
      store.listTagged({ ...filter, keywordHash: keyRing.hash(filter.keyword) }, range),
    /**
     * Adds a channel, or copies channel `copyFrom`; throws by the rules of applyInput, and when name or key is missing.
     */
    async create(actor: Actor, input: ChannelInput, copyFrom = 0): Promise<ChannelDoc> {
      const about = readNew(input, copyFrom === 0 ? undefined : await store.get(copyFrom));
      const doc = { _id: await takeId(), ...about };
      await changes.create(actor, doc);
      return doc;
    },
    /**
     * Changes the fields that are present, an empty key keeping the old one; throws channel_not_found or by the rules
     * of applyInput.
     */
    async update(actor: Actor, id: number, input: ChannelInput): Promise<ChannelDoc> {
      const plan = (current: ChannelDoc) => {
        const typedKeys = splitKeys(input.type ?? current.type, input.key ?? "");
        const newKeys = typedKeys.length === 0 ? undefined : keyRing.seal(typedKeys);
        return planEdit(current, input, newKeys);
      };
      return (await changes.update(id, plan, actor)) ?? store.get(id);
    },
    remove: changes.remove,
  };
}
