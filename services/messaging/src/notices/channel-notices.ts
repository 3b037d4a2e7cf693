import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { formatCents } from "@turnpike/contract/pricing/dollars";
import type { GetNoticeTargetResponse } from "@turnpike/proto/auth/v1/notice_target_service";
import type { InboxService } from "../inbox/inbox-service.ts";
import { fillTemplate } from "../mail/mail-templates.ts";
import { blocksHtml } from "../mail/mail-text.ts";
import type { NoticeLimits } from "../delivery/notice-limits.ts";
import { formatQuota } from "./notice-amounts.ts";
import type { Notice, Notifier } from "./notifier.ts";

export type ChannelEvent = {
  readonly channelId: number;
  readonly name: string;
  readonly reason: string;
  readonly event: "disabled" | "enabled";
};
/** The result of a test of all channels that an administrator started. */
export type TestOutcome = Readonly<Record<"tested" | "failed" | "disabled" | "enabled", number>>;
/** What is newly sold below cost. */
export type BelowCost = {
  readonly total: number;
  readonly items: readonly { readonly name: string; readonly charged: number; readonly cost: number }[];
};
/** New and changed prices of a catalogue. */
export type CatalogueProposal = Readonly<Record<"added" | "changed" | "large" | "applied", number>> & {
  readonly source: string;
};
/** Days whose provider's report newly differs from the log or cannot be fetched. */
export type ReportFindings = {
  readonly total: number;
  readonly items: readonly {
    readonly channelId: number;
    readonly day: number;
    readonly state: string;
    readonly differenceCents: number;
    readonly problem: string;
  }[];
};
/** A payment that is not as ordered. */
export type PaymentMismatch = {
  readonly orderId: number;
  readonly tradeNo: string;
  readonly username: string;
  readonly expectedCents: number;
  readonly expectedCurrency: string;
  readonly receivedCents: number;
  readonly receivedCurrency: string;
};
export type ChannelNotices = ReturnType<typeof createChannelNotices>;

const STATUS_NUMBER = { enabled: 1, disabled: 3 } as const;
/** A channel that changes state often must not fill a mailbox. */
const LIMIT = { limit: 2, windowMs: 600_000 };
/** The root user's id in auth. */
const ROOT = 0;
const TITLE_LENGTH_MAX = 255;
/** Shorter than a mail's values may be. */
const ITEMS_LENGTH_MAX = 1_800;

const nameReport = ({ channelId, day, state, differenceCents, problem }: ReportFindings["items"][number]): string => {
  const date = new Date(day * 1000).toISOString().slice(0, 10);
  return `#${channelId} ${date}: ${state === "failing" ? problem : `$${(differenceCents / 100).toFixed(2)}`}`;
};

const formatMoney = (cents: number, currency: string): string => `${formatCents(cents)} ${currency.toUpperCase()}`;

/** Notices to the root user about prices and payments. */
const createMoneyNotices = (notifyRoot: (notice: Notice) => Promise<void>, options: () => OptionsInForce) => ({
  /** Prices that a catalogue proposes. */
  notifyCatalogue({ source, ...counts }: CatalogueProposal): Promise<void> {
    const { added, changed, large, applied } = counts;
    const texts = { added: String(added), changed: String(changed), large: String(large), applied: String(applied) };
    return notifyRoot({
      template: "catalogue_proposed",
      type: "catalogue_proposed",
      params: { source, ...texts },
      values: [source, ...Object.values(texts)],
      limit: LIMIT,
    });
  },
  /** A payment that is not as ordered. */
  notifyMismatch(mismatch: PaymentMismatch): Promise<void> {
    const { orderId, tradeNo, username } = mismatch;
    const expected = formatMoney(mismatch.expectedCents, mismatch.expectedCurrency);
    const received = formatMoney(mismatch.receivedCents, mismatch.receivedCurrency);
    return notifyRoot({
      template: "payment_mismatch",
      type: `payment_mismatch_${orderId}`,
      params: { trade_no: tradeNo, username, expected, received },
      values: [tradeNo, username, expected, received],
      limit: LIMIT,
    });
  },
  /** Days whose provider's report newly differs from the log or cannot be fetched. */
  notifyReports({ total, items }: ReportFindings): Promise<void> {
    const named = items.map(nameReport);
    const params = { total: String(total), items: named.join("; ").slice(0, ITEMS_LENGTH_MAX) };
    const values = [String(total), ...named];
    return notifyRoot({ template: "provider_reports", type: "provider_reports", params, values, limit: LIMIT });
  },
  /** What is newly sold below cost. */
  notifyBelowCost({ total, items }: BelowCost): Promise<void> {
    const named = items.map(({ name, charged, cost }) => {
      return `${name}: ${formatQuota(charged - cost, options())}`;
    });
    const params = { total: String(total), items: named.join("; ").slice(0, ITEMS_LENGTH_MAX) };
    return notifyRoot({
      template: "below_cost",
      type: "below_cost",
      params,
      values: [String(total), ...named],
      limit: LIMIT,
    });
  },
});

/**
 * Notifies the root user of channels that the system disabled or enabled, and of test results: as configured, or in the
 * inbox when no other way works.
 */
export function createChannelNotices(deps: {
  target: (userId: number) => Promise<GetNoticeTargetResponse>;
  notifier: Notifier;
  limits: NoticeLimits;
  addToInbox: InboxService["deliver"];
  systemName: () => string;
  options: () => OptionsInForce;
}) {
  const { target, notifier, limits, addToInbox, systemName, options } = deps;
  const putInInbox = async (to: GetNoticeTargetResponse, { template, type, params }: Notice): Promise<void> => {
    if ((await limits.take(`${type}:${to.userId}`, LIMIT)) > 0) return;
    const { subject, blocks } = fillTemplate(template, "both", { system_name: systemName(), ...params });
    await addToInbox(to.userId, { title: subject.slice(0, TITLE_LENGTH_MAX), html: blocksHtml(blocks) });
  };
  const notifyRoot = async (notice: Notice): Promise<void> => {
    const to = await target(ROOT);
    if ((await notifier.notify(to, notice)) === "no_address") await putInInbox(to, notice);
  };
  return {
    /** Throws unavailable; the event may then be passed again. */
    notify: ({ channelId, name, reason, event }: ChannelEvent): Promise<void> =>
      notifyRoot({
        template: "channel_notice",
        type: `channel_update_${channelId}_${STATUS_NUMBER[event]}`,
        params: { channel_id: String(channelId), channel_name: name, event, reason },
        values: [name, String(channelId), reason],
        limit: LIMIT,
      }),
    /** The same for a finished test of all channels. */
    notifyTested({ tested, failed, disabled, enabled }: TestOutcome): Promise<void> {
      const values = [String(tested), String(failed), String(disabled), String(enabled)];
      const params = {
        tested: String(tested),
        failed: String(failed),
        disabled: String(disabled),
        enabled: String(enabled),
      };
      return notifyRoot({ template: "channels_tested", type: "channel_test", params, values, limit: LIMIT });
    },
    ...createMoneyNotices(notifyRoot, options),
  };
}
