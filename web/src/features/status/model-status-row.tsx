import type { ModelStatus, ModelStatusList, ModelTimes } from "@turnpike/contract/api/models/model-status";
import { useTranslation } from "react-i18next";
import { StatusBadge, type StatusTone } from "../../components/status-badge.tsx";
import { formatMilliseconds, formatShare } from "../../lib/text/format.ts";
import { text } from "../../lib/text/i18n-source.ts";
import { HourStrip } from "./hour-strip.tsx";

const STATES: Readonly<Record<ModelStatus["state"], { readonly label: string; readonly tone: StatusTone }>> = {
  available: { label: text("可用"), tone: "good" },
  degraded: { label: text("部分失败"), tone: "warn" },
  failing: { label: text("大多失败"), tone: "bad" },
  unavailable: { label: text("不可用"), tone: "neutral" },
};

const NOTHING = "—";
const showMs = (ms: number | null): string => (ms === null ? NOTHING : formatMilliseconds(ms));

type TimesLineProps = { readonly label: string; readonly times: ModelTimes };

/** The figures of one period as a row. */
function TimesLine({ label, times }: TimesLineProps) {
  const { error_share: share, p50_ms: half, p95_ms: late } = times;
  const { first_token_p50_ms: firstHalf, first_token_p95_ms: firstLate } = times;
  return (
    <tr>
      <th scope="row" className="py-0.5 pr-1 text-left font-normal text-muted-foreground">
        {label}
      </th>
      <td className="px-1 text-right">{share === null ? NOTHING : formatShare(share)}</td>
      <td className="px-1 text-right sm:whitespace-nowrap">
        {showMs(half)} / {showMs(late)}
      </td>
      <td className="pl-1 text-right sm:whitespace-nowrap">
        {showMs(firstHalf)} / {showMs(firstLate)}
      </td>
    </tr>
  );
}

type ModelStatusRowProps = { readonly model: ModelStatus; readonly list: ModelStatusList };

/** One model: its state, its last 24 hours, and errors and times of recent hours and of the day. */
export function ModelStatusRow({ model, list }: ModelStatusRowProps) {
  const { t, i18n } = useTranslation();
  const { label, tone } = STATES[model.state];
  const clock = new Intl.DateTimeFormat(i18n.language, { hour: "2-digit", minute: "2-digit", hour12: false });
  const recentFrom = clock.format(list.recent_from * 1_000);
  return (
    <li className="flex flex-col gap-3 px-4 py-3 lg:flex-row lg:items-center lg:gap-6">
      <div className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 className="min-w-0 text-sm font-medium break-all">{model.model_name}</h2>
        <div className="flex items-center gap-4">
          <HourStrip hours={model.hours} firstHour={list.first_hour} />
          <StatusBadge dot tone={tone} className="w-28 justify-start">
            {t(label)}
          </StatusBadge>
        </div>
      </div>
      <table className="w-full table-fixed text-xs tabular-nums lg:w-[27rem] lg:shrink-0">
        <caption className="sr-only">{t("{{name}} 的错误率和耗时", { name: model.model_name })}</caption>
        <thead className="text-muted-foreground">
          <tr>
            <td className="w-[24%]" />
            <th scope="col" className="w-[17%] px-1 text-right font-normal">
              {t("错误率")}
            </th>
            <th scope="col" className="px-1 text-right font-normal">
              {t("总耗时")}
            </th>
            <th scope="col" className="pl-1 text-right font-normal">
              {t("首字")}
            </th>
          </tr>
        </thead>
        <tbody>
          <TimesLine label={t("{{time}} 起", { time: recentFrom })} times={model.recent} />
          <TimesLine label={t("24 小时")} times={model.day} />
        </tbody>
      </table>
    </li>
  );
}
