import type { Channel } from "@turnpike/contract/api/channels/channel";
import { CHANNEL_STATUS } from "@turnpike/contract/codes";
import i18next from "i18next";
import { text } from "../../lib/text/i18n-source.ts";
import { notifyError, notifyUndoable } from "../../lib/toast.ts";
import { refreshChannels, updateChannel } from "./channels-api.ts";

type Switched = Pick<Channel, "id" | "name" | "status">;

export const isChannelOn = ({ status }: Pick<Channel, "status">): boolean => status === CHANNEL_STATUS.enabled;

/** Enables or disables a channel. */
export const setChannelOn = (id: number, on: boolean): Promise<unknown> =>
  updateChannel({ id, status: on ? CHANNEL_STATUS.enabled : CHANNEL_STATUS.disabled });

/** Disables an enabled channel, enables any other, and offers to take that back. */
export async function switchChannel(channel: Switched): Promise<void> {
  const { id, name } = channel;
  const wasOn = isChannelOn(channel);
  const undo = (): Promise<unknown> => setChannelOn(id, wasOn).finally(() => void refreshChannels());
  await setChannelOn(id, !wasOn).then(
    () => notifyUndoable(i18next.t(wasOn ? text("已禁用“{{name}}”") : text("已启用“{{name}}”"), { name }), undo),
    notifyError,
  );
  await refreshChannels();
}
