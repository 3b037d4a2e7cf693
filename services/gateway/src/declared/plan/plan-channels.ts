import type { Channel } from "@turnpike/contract/api/channels/channel";
import type { DeclaredObject } from "@turnpike/contract/api/declared";
import { CHANNEL_STATUS } from "@turnpike/contract/codes";
import { toChannelBody, toDeclaredChannel, toKeyMark } from "../channel-form.ts";
import { getTypeName, type ResolvedChannel } from "../configuration.ts";
import {
  compareFields,
  matchObjects,
  type Part,
  type Planning,
  plainObject,
  secretField,
  type Step,
  toFingerprint,
} from "./step.ts";

const STATUS = { enabled: CHANNEL_STATUS.enabled, disabled: CHANNEL_STATUS.disabled } as const;

const toObject = (
  planning: Planning,
  declared: ResolvedChannel,
  channel: Pick<Channel, "id" | "key_hint" | "key_count">,
): DeclaredObject => ({
  ...plainObject("channel", declared.label, channel.id),
  fingerprint: toFingerprint(planning, `channel/${declared.label}`, declared.secret),
  mark: declared.secret === undefined ? "" : toKeyMark(channel),
});

/** The declared fields in the form that `toDeclaredChannel` returns. */
function toComparable({ label: _label, typeId, secret: _secret, key: _key, ...fields }: ResolvedChannel) {
  const base = fields.base_url.trim().replace(/\/+$/, "");
  return { ...fields, type: getTypeName(typeId), base_url: base };
}

function planCreation(planning: Planning, declared: ResolvedChannel): Step {
  const name = declared.label;
  return {
    changes: [{ kind: "channel", name, action: "create", fields: [] }],
    async run() {
      if (declared.secret === undefined) throw new Error(`channel ${name} is new and has no key`);
      const { console } = planning;
      const body = { ...toChannelBody(declared), key: declared.secret };
      const made = await console.post<Channel>("/api/channel/", body);
      if (declared.status === "disabled")
        await console.put("/api/channel/", { id: made.id, status: CHANNEL_STATUS.disabled });
      return [toObject(planning, declared, made)];
    },
  };
}

function planUpdate(planning: Planning, declared: ResolvedChannel, channel: Channel): Step | undefined {
  const name = declared.label;
  const fields = compareFields(toComparable(declared), toDeclaredChannel(channel));
  const object = toObject(planning, declared, channel);
  const before = planning.before.get(`channel/${name}`);
  const hasNewKey =
    declared.secret !== undefined && (before?.fingerprint !== object.fingerprint || before.mark !== object.mark);
  if (fields.length === 0 && !hasNewKey) return undefined;
  const isSwitched = fields.some(({ field }) => field === "status");
  return {
    changes: [
      { kind: "channel", name, action: "update", fields: hasNewKey ? [...fields, secretField("key")] : fields },
    ],
    async run() {
      const changed = await planning.console.put<Channel>("/api/channel/", {
        id: channel.id,
        ...toChannelBody(declared),
        ...(hasNewKey ? { key: declared.secret } : {}),
        ...(isSwitched ? { status: STATUS[declared.status] } : {}),
      });
      return [toObject(planning, declared, changed)];
    },
  };
}

/** Channels: created or changed one by one. */
export function planChannels(planning: Planning): Part {
  const { configuration, site, before } = planning;
  const matches = matchObjects(configuration.channels, site.channels, (label) => before.get(`channel/${label}`)?.id);
  const steps: Step[] = [];
  const objects: DeclaredObject[] = [];
  for (const declared of configuration.channels) {
    const channel = matches.get(declared);
    const step = channel ? planUpdate(planning, declared, channel) : planCreation(planning, declared);
    if (step) steps.push(step);
    else if (channel) objects.push(toObject(planning, declared, channel));
  }
  return { steps, objects };
}
