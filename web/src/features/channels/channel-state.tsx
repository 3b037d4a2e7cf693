import { type Channel, ChannelOtherInfo } from "@turnpike/contract/api/channels/channel";
import { CHANNEL_STATUS } from "@turnpike/contract/codes";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { StatusBadge, type StatusTone } from "../../components/status-badge.tsx";
import { Hint } from "../../components/hint.tsx";
import { useNowSeconds } from "../../hooks/use-now.ts";
import { formatMilliseconds, formatRelative, formatTime } from "../../lib/text/format.ts";
import { text } from "../../lib/text/i18n-source.ts";
import { parseJson } from "../../lib/api/parse-json.ts";

const STATES: Readonly<Record<number, { label: string; tone: StatusTone }>> = {
  [CHANNEL_STATUS.enabled]: { label: text("已启用"), tone: "good" },
  [CHANNEL_STATUS.disabled]: { label: text("已禁用"), tone: "neutral" },
  [CHANNEL_STATUS.autoDisabled]: { label: text("自动禁用"), tone: "bad" },
};

/** The reason and the time of an automatic disabling; undefined when the channel was not disabled automatically. */
export function getAutoDisabled(channel: Channel): { reason: string; at: number } | undefined {
  if (channel.status !== CHANNEL_STATUS.autoDisabled) return undefined;
  const info = parseJson(ChannelOtherInfo, channel.other_info) ?? {};
  return { reason: info.status_reason ?? "", at: info.status_time ?? 0 };
}

/** The reason and the time of a failed last test of an enabled channel. */
function getTestFailure(channel: Channel, t: TFunction): { reason: string; at: number } | undefined {
  if (channel.test_error === "" || channel.status !== CHANNEL_STATUS.enabled) return undefined;
  return { reason: t("测试失败：{{reason}}", { reason: channel.test_error }), at: channel.test_time };
}

function WhyOff({ reason, at }: { readonly reason: string; readonly at: number }) {
  const { i18n } = useTranslation();
  const now = useNowSeconds();
  const since = at === 0 ? "" : formatRelative(at, now, i18n.language);
  const exact = at === 0 ? "" : formatTime(at, i18n.language);
  return (
    <Hint text={[reason, exact].filter(Boolean).join("\n")}>
      <span className="block max-w-44 truncate text-xs leading-4 text-muted-foreground" tabIndex={0}>
        {[since, reason].filter(Boolean).join(" · ")}
      </span>
    </Hint>
  );
}

/** The state of a channel; one that was disabled automatically or failed its last test shows reason and time. */
export function ChannelState({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation();
  const state = STATES[channel.status];
  const why = getAutoDisabled(channel) ?? getTestFailure(channel, t);
  return (
    <span className="inline-flex flex-col items-start">
      <StatusBadge dot tone={why && state?.tone === "good" ? "warn" : (state?.tone ?? "neutral")}>
        {t(state?.label ?? text("未知状态"))}
      </StatusBadge>
      {why && (why.reason !== "" || why.at > 0) && <WhyOff {...why} />}
    </span>
  );
}

/** The number of enabled channels of a tag. */
export function TagState({ channels }: { readonly channels: readonly Channel[] }) {
  const { t } = useTranslation();
  const on = channels.filter(({ status }) => status === CHANNEL_STATUS.enabled).length;
  const tone = on === 0 ? "neutral" : on === channels.length ? "good" : "warn";
  return (
    <StatusBadge dot tone={tone} className="tabular-nums">
      {t("{{on}} / {{total}} 已启用", { on, total: channels.length })}
    </StatusBadge>
  );
}

const BANDS: readonly { readonly upToMs: number; readonly tone: StatusTone }[] = [
  { upToMs: 1_000, tone: "good" },
  { upToMs: 3_000, tone: "lime" },
  { upToMs: 5_000, tone: "warn" },
];

type ResponseTimeProps = {
  /** 0 before the first test. */
  readonly ms: number;
  readonly testedAt?: number;
  /** Why the test failed; "" if it succeeded. */
  readonly error?: string;
};

/** The duration of the last test, in the colour bands that operators know. */
export function ResponseTime({ ms, testedAt = 0, error = "" }: ResponseTimeProps) {
  const { t, i18n } = useTranslation();
  const at = testedAt === 0 ? "" : t("测试于 {{time}}", { time: formatTime(testedAt, i18n.language) });
  if (error !== "")
    return (
      <Hint text={[at, error].filter(Boolean).join("\n")}>
        <StatusBadge dot tone="bad">
          {t("测试失败")}
        </StatusBadge>
      </Hint>
    );
  if (ms === 0) return <StatusBadge>{t("未测试")}</StatusBadge>;
  const tone = BANDS.find(({ upToMs }) => ms <= upToMs)?.tone ?? "bad";
  return (
    <Hint text={at}>
      <StatusBadge tone={tone} className="tabular-nums">
        {formatMilliseconds(ms)}
      </StatusBadge>
    </Hint>
  );
}
