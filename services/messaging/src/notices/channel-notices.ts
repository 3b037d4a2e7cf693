import type { GetNoticeTargetResponse } from "@turnpike/proto/auth/v1/notice_target_service";
import type { Logger } from "@turnpike/shared/log/log";
import type { Notifier } from "./notifier.ts";

export type ChannelEvent = {
  readonly channelId: number;
  readonly name: string;
  readonly reason: string;
  readonly event: "disabled" | "enabled";
};
export type ChannelNotices = ReturnType<typeof createChannelNotices>;

const STATUS_NUMBER = { enabled: 1, disabled: 3 } as const;
/** A channel that comes and goes does not fill a mailbox. */
const LIMIT = { limit: 2, windowMs: 600_000 };
/** auth knows the root user by this number. */
const ROOT = 0;

/** Tells the root user which channels the system switched. */
export function createChannelNotices(deps: {
  target: (userId: number) => Promise<GetNoticeTargetResponse>;
  notifier: Notifier;
  log: Logger;
}) {
  return {
    /** Throws unavailable, and may then be told again. */
    async tell({ channelId, name, reason, event }: ChannelEvent): Promise<void> {
      const to = await deps.target(ROOT);
      const outcome = await deps.notifier.notify(to, {
        template: "channel_notice",
        type: `channel_update_${channelId}_${STATUS_NUMBER[event]}`,
        params: { channel_id: String(channelId), channel_name: name, event, reason },
        values: [name, String(channelId), reason],
        limit: LIMIT,
      });
      if (outcome === "nowhere") deps.log.warn({ channelId, event }, "root has no address for notices of channels");
    },
  };
}
