import type { GetNoticeTargetResponse } from "@turnpike/proto/auth/v1/notice_target_service";
import type { InboxService } from "../inbox/inbox-service.ts";
import { fillTemplate } from "../mail/mail-templates.ts";
import { blocksHtml } from "../mail/mail-text.ts";
import type { NoticeLimits } from "../delivery/notice-limits.ts";
import type { Notice, Notifier } from "./notifier.ts";

export type ChannelEvent = {
  readonly channelId: number;
  readonly name: string;
  readonly reason: string;
  readonly event: "disabled" | "enabled";
};
/** How a test of all channels that an admin asked for went. */
export type TestOutcome = Readonly<Record<"tested" | "failed" | "disabled" | "enabled", number>>;
export type ChannelNotices = ReturnType<typeof createChannelNotices>;

const STATUS_NUMBER = { enabled: 1, disabled: 3 } as const;
/** A channel that comes and goes does not fill a mailbox. */
const LIMIT = { limit: 2, windowMs: 600_000 };
/** auth knows the root user by this number. */
const ROOT = 0;
const TITLE_LENGTH_MAX = 255;

/**
 * Notifies the root user of channels that the system disabled or enabled, and of test results: as configured, or in the
 * inbox when no other way works.
 */
export function createChannelNotices(deps: {
  target: (userId: number) => Promise<GetNoticeTargetResponse>;
  notifier: Notifier;
  limits: NoticeLimits;
  addToInbox: InboxService["tell"];
  systemName: () => string;
}) {
  const { target, notifier, limits, addToInbox, systemName } = deps;
  const putInInbox = async (to: GetNoticeTargetResponse, { template, type, params }: Notice): Promise<void> => {
    if ((await limits.take(`${type}:${to.userId}`, LIMIT)) > 0) return;
    const { subject, blocks } = fillTemplate(template, "both", { system_name: systemName(), ...params });
    await addToInbox(to.userId, { title: subject.slice(0, TITLE_LENGTH_MAX), html: blocksHtml(blocks) });
  };
  const tellRoot = async (notice: Notice): Promise<void> => {
    const to = await target(ROOT);
    if ((await notifier.notify(to, notice)) === "nowhere") await putInInbox(to, notice);
  };
  return {
    /** Throws unavailable, and may then be told again. */
    tell: ({ channelId, name, reason, event }: ChannelEvent): Promise<void> =>
      tellRoot({
        template: "channel_notice",
        type: `channel_update_${channelId}_${STATUS_NUMBER[event]}`,
        params: { channel_id: String(channelId), channel_name: name, event, reason },
        values: [name, String(channelId), reason],
        limit: LIMIT,
      }),
    /** The same of a test that is over. */
    tellTested({ tested, failed, disabled, enabled }: TestOutcome): Promise<void> {
      const values = [String(tested), String(failed), String(disabled), String(enabled)];
      const params = {
        tested: String(tested),
        failed: String(failed),
        disabled: String(disabled),
        enabled: String(enabled),
      };
      return tellRoot({ template: "channels_tested", type: "channel_test", params, values, limit: LIMIT });
    },
  };
}
