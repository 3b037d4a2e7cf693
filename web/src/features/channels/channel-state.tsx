import type { Channel } from "@turnpike/contract/api/channel";
import { CHANNEL_STATUS } from "@turnpike/contract/limits";
import { useTranslation } from "react-i18next";
import { Badge, type BadgeTone } from "../../components/ui/badge.tsx";
import { Hint } from "../../components/ui/tooltip.tsx";
import { formatMilliseconds, formatTime } from "../../lib/format.ts";
import { text } from "../../lib/i18n-source.ts";
import { parseJson } from "../../lib/parse-json.ts";
import { isChannelOtherInfo } from "./channel-answers.ts";

const STATES: Readonly<Record<number, { label: string; tone: BadgeTone }>> = {
  [CHANNEL_STATUS.enabled]: { label: text("已启用"), tone: "good" },
  [CHANNEL_STATUS.disabled]: { label: text("已禁用"), tone: "neutral" },
  [CHANNEL_STATUS.autoDisabled]: { label: text("自动禁用"), tone: "bad" },
};

/** The state of a channel; one that was disabled automatically says why and since when. */
export function ChannelState({ channel }: { readonly channel: Channel }) {
  const { t, i18n } = useTranslation();
  const state = STATES[channel.status];
  const info = parseJson(isChannelOtherInfo, channel.other_info) ?? {};
  const isAuto = channel.status === CHANNEL_STATUS.autoDisabled;
  const since = info.status_time === undefined ? "" : formatTime(info.status_time, i18n.language);
  const why = isAuto ? [info.status_reason, since].filter(Boolean).join("\n") : "";
  return (
    <Hint text={why}>
      <Badge dot tone={state?.tone ?? "neutral"} tabIndex={why === "" ? undefined : 0}>
        {t(state?.label ?? text("未知状态"))}
      </Badge>
    </Hint>
  );
}

const BANDS: readonly { readonly belowMs: number; readonly tone: BadgeTone }[] = [
  { belowMs: 1_000, tone: "good" },
  { belowMs: 3_000, tone: "info" },
  { belowMs: 5_000, tone: "warn" },
];

/** How long the last test took, in the bands that operators know. */
export function ResponseTime({ channel }: { readonly channel: Channel }) {
  const { t, i18n } = useTranslation();
  if (channel.response_time === 0) return <Badge>{t("未测试")}</Badge>;
  const tone = BANDS.find(({ belowMs }) => channel.response_time <= belowMs)?.tone ?? "bad";
  return (
    <Hint
      text={channel.test_time === 0 ? "" : t("测试于 {{time}}", { time: formatTime(channel.test_time, i18n.language) })}
    >
      <Badge tone={tone} className="tabular-nums">
        {formatMilliseconds(channel.response_time)}
      </Badge>
    </Hint>
  );
}
