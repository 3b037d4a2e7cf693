import { CHANNEL_STATUS } from "@turnpike/contract/codes";
import type { EditTagRequest } from "@turnpike/proto/channel/v1/channel_bulk_service";
import type { ChannelInput } from "@turnpike/proto/channel/v1/channel_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { Actor } from "@turnpike/shared/grpc/context";
import { CHANNELS_AT_ONCE_MAX, type ChannelChanges } from "./channel-changes.ts";
import { planEdit, planSwitch } from "./channel-edit.ts";
import { readTag } from "./channel-fields.ts";
import type { ChannelDoc } from "./channel-model.ts";
import { planRepair } from "./plan-repair.ts";
import type { ChannelStore } from "./channel-store.ts";

export type ChannelBulk = ReturnType<typeof createChannelBulk>;

const REPAIR_BATCH = 500;

type NoneChosen = "channel_selection_required" | "channel_tag_selection_required";

function readIds(ids: readonly number[], noneChosen: NoneChosen): number[] {
  const known = [...new Set(ids)];
  if (known.length === 0) throw new AppError(noneChosen, "no ids");
  if (known.length <= CHANNELS_AT_ONCE_MAX) return known;
  throw new AppError("channel_too_many", "too many ids", { params: { max: String(CHANNELS_AT_ONCE_MAX) } });
}

function requireTag(text: string): string {
  const tag = readTag(text);
  if (tag === "") throw new AppError("channel_tag_required", "no tag");
  return tag;
}

const checkTagged =
  (tag: string) =>
  (found: readonly ChannelDoc[]): void => {
    if (found.length === 0) throw new AppError("channel_tag_not_found", "nothing has this tag", { params: { tag } });
  };

/** The input that a tag edit applies to each channel; throws channel_tag_unchanged when it is empty. */
function readTagEdit({ newTag, priority, weight, modelMapping, models, groups }: EditTagRequest): ChannelInput {
  const text = (value: string): string | undefined => (value.trim() === "" ? undefined : value);
  const input: ChannelInput = {
    tag: newTag,
    priority,
    weight,
    modelMapping: text(modelMapping),
    models: text(models),
    group: text(groups),
  };
  if (Object.values(input).some((value) => value !== undefined)) return input;
  throw new AppError("channel_tag_unchanged", "the edit sets nothing");
}

/** Bulk admin actions on channels: each call is one transaction, and returns how many channels it changed. */
export function createChannelBulk(deps: { store: ChannelStore; changes: ChannelChanges }) {
  const { store, changes } = deps;
  const findBroken = async (): Promise<number[]> => {
    const broken: number[] = [];
    for (let after = 0, isLast = false; !isLast;) {
      const batch = await store.listAfter(after, REPAIR_BATCH);
      broken.push(...batch.filter((doc) => planRepair(doc)).map((doc) => doc._id));
      after = batch.at(-1)?._id ?? after;
      isLast = batch.length < REPAIR_BATCH;
    }
    return broken.slice(0, CHANNELS_AT_ONCE_MAX);
  };
  return {
    remove: async (actor: Actor, ids: readonly number[]): Promise<number> =>
      changes.changeMany(actor, {
        selection: { ids: readIds(ids, "channel_selection_required") },
        plan: () => "delete",
      }),
    removeDisabled: (actor: Actor): Promise<number> =>
      changes.changeMany(actor, {
        selection: { statuses: [CHANNEL_STATUS.disabled, CHANNEL_STATUS.autoDisabled] },
        plan: () => "delete",
        takesFirst: true,
      }),
    /** Without a tag, the channels' tags are removed. */
    async tag(actor: Actor, ids: readonly number[], rawTag: string | undefined): Promise<number> {
      const chosen = readIds(ids, "channel_tag_selection_required");
      const tag = rawTag === undefined ? "" : requireTag(rawTag);
      const plan = (doc: ChannelDoc) => (doc.tag === tag ? undefined : { tag });
      return changes.changeMany(actor, { selection: { ids: chosen }, plan });
    },
    /** Throws channel_tag_not_found, channel_tag_unchanged, or by the rules of the channel form. */
    async editTag(actor: Actor, request: EditTagRequest): Promise<number> {
      const tag = requireTag(request.tag);
      const input = readTagEdit(request);
      const plan = (doc: ChannelDoc) => planEdit(doc, input, undefined);
      return changes.changeMany(actor, { selection: { tag }, plan, check: checkTagged(tag) });
    },
    async switchTag(actor: Actor, rawTag: string, isOn: boolean): Promise<number> {
      const tag = requireTag(rawTag);
      const status = isOn ? CHANNEL_STATUS.enabled : CHANNEL_STATUS.disabled;
      const plan = (doc: ChannelDoc) => planSwitch(doc, status);
      return changes.changeMany(actor, { selection: { tag }, plan, check: checkTagged(tag) });
    },
    /** Relays fetch the table again even when nothing had to be repaired. */
    async fix(actor: Actor): Promise<number> {
      const ids = await findBroken();
      const count = ids.length === 0 ? 0 : await changes.changeMany(actor, { selection: { ids }, plan: planRepair });
      if (count === 0) await changes.announce();
      return count;
    },
  };
}
