import type { ChannelReport, ReportDay } from "@turnpike/contract/api/channels/provider-report";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { BusyButton } from "../../../components/busy-button.tsx";
import { confirm } from "../../../components/confirm.ts";
import { FieldFrame } from "../../../components/form/field-frame.tsx";
import { LoadingSheet } from "../../../components/form/loading-sheet.tsx";
import { Section } from "../../../components/form/section.tsx";
import { OptionSelect } from "../../../components/option-select.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Input } from "../../../components/ui/input.tsx";
import { Sheet, SheetContent, SheetDescription, SheetHeader, SheetTitle } from "../../../components/ui/sheet.tsx";
import { useBusy } from "../../../hooks/use-busy.ts";
import { toCsv } from "../../../lib/text/csv.ts";
import { downloadCsv } from "../../../lib/download.ts";
import { queryClient } from "../../../lib/api/query-client.ts";
import { notifySuccess } from "../../../lib/toast.ts";
import { channelReportQuery, checkReportDay, setReportKey } from "./report-api.ts";
import { formatNano, ReportDayView } from "./report-day.tsx";

const DAY_SECONDS = 86_400;

/** A day in UTC, as providers count them. */
const formatDay = (day: number): string => new Date(day * 1000).toISOString().slice(0, "2026-11-24".length);
const getToday = (): string => formatDay(Math.floor(Date.now() / 1000));
const getYesterday = (): string => formatDay(Math.floor(Date.now() / 1000) - DAY_SECONDS);

const refresh = (id: number): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: channelReportQuery(id).queryKey });

type KeyFieldProps = { readonly id: number; readonly hint: string };

/** The report key: written, replaced and removed, and never read back. */
function KeyField({ id, hint }: KeyFieldProps) {
  const { t } = useTranslation();
  const [key, setKey] = useState("");
  const [isBusy, run] = useBusy();
  const store = async (next: string): Promise<void> => {
    await setReportKey(id, next);
    setKey("");
    notifySuccess(t("已保存"));
    await refresh(id);
  };
  const remove = async (): Promise<void> => {
    const sure = await confirm({
      title: t("移除报告密钥？"),
      description: t("之后不再比较上游的报告，已有的结果保留。"),
      action: t("移除密钥"),
      danger: true,
    });
    if (sure) await store("");
  };
  return (
    <Section title={t("报告密钥")}>
      <FieldFrame
        label={t("密钥")}
        help={t("OpenAI 和 Anthropic 的组织管理密钥，OpenRouter 的管理密钥。加密保存，不再显示。")}
      >
        {(control) => (
          <div className="flex flex-wrap gap-2">
            <Input
              {...control}
              className="min-w-0 flex-1 basis-52 font-mono"
              type="password"
              autoComplete="off"
              placeholder={hint === "" ? "" : t("已设置：…{{hint}}", { hint })}
              value={key}
              onChange={(event) => setKey(event.target.value)}
            />
            <BusyButton busy={isBusy} disabled={key.trim() === ""} onClick={() => run(() => store(key))}>
              {t("保存")}
            </BusyButton>
            {hint !== "" && (
              <Button variant="outline" disabled={isBusy} onClick={() => run(remove)}>
                {t("移除密钥")}
              </Button>
            )}
          </div>
        )}
      </FieldFrame>
    </Section>
  );
}

/** Compares one day now. */
function CheckNow({ id, onChecked }: { readonly id: number; readonly onChecked: (day: number) => void }) {
  const { t } = useTranslation();
  const [date, setDate] = useState(getYesterday);
  const [today] = useState(getToday);
  const [isBusy, run] = useBusy();
  const day = Date.parse(`${date}T00:00:00Z`) / 1000;
  const check = async (): Promise<void> => {
    try {
      const checked = await checkReportDay(id, day);
      onChecked(checked.day);
    } finally {
      await refresh(id);
    }
  };
  return (
    <div className="flex flex-wrap items-end gap-2">
      <FieldFrame label={t("日期（UTC）")}>
        {(control) => (
          <Input
            {...control}
            type="date"
            className="w-40"
            max={today}
            value={date}
            onChange={(event) => setDate(event.target.value)}
          />
        )}
      </FieldFrame>
      <BusyButton busy={isBusy} disabled={Number.isNaN(day)} onClick={() => run(check)}>
        {t("现在比较")}
      </BusyButton>
    </div>
  );
}

function saveCsv(name: string, days: readonly ReportDay[]): void {
  const header = ["day", "reason", "model", "kind", "tier", "counted_as", "tokens", "cost_dollars"];
  const lines = days.flatMap(({ day, differences }) =>
    differences.map((one) => [
      formatDay(day),
      one.reason,
      one.model,
      one.kind,
      one.tier,
      one.counted_as,
      one.tokens,
      one.cost === null ? "" : one.cost / 1e9,
    ]),
  );
  downloadCsv(`report-${name}`, toCsv([header, ...lines]));
}

function Days({ id, report }: { readonly id: number; readonly report: ChannelReport }) {
  const { t } = useTranslation();
  const [chosen, choose] = useState<number>();
  const { days } = report;
  const shown = days.find(({ day }) => day === chosen) ?? days[0];
  const toLabel = ({ day, problem, cost, reported_cost: reported, differences }: ReportDay): string => {
    if (problem !== "") return `${formatDay(day)} · ${t("无法获取")}`;
    const difference = formatNano(cost === null ? null : reported - cost);
    return `${formatDay(day)} · ${differences.length === 0 ? t("一致") : difference}`;
  };
  return (
    <Section title={t("比较结果")}>
      {report.key_hint !== "" && <CheckNow id={id} onChecked={choose} />}
      {!shown && <p className="text-[13px] text-muted-foreground">{t("还没有比较过的日期。")}</p>}
      {shown && (
        <>
          <div className="flex flex-wrap gap-2">
            <OptionSelect
              className="h-9 w-full sm:w-72"
              aria-label={t("日期（UTC）")}
              value={String(shown.day)}
              options={days.map((day) => ({ value: String(day.day), label: toLabel(day) }))}
              onValueChange={(next) => choose(Number(next))}
            />
            <Button variant="outline" onClick={() => saveCsv(String(id), days)}>
              <Download />
              CSV
            </Button>
          </div>
          <ReportDayView day={shown} />
        </>
      )}
    </Section>
  );
}

/** The sheet that compares what a channel's provider reports about usage and cost with the log. */
export function ChannelReportSheet() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const params = useParams({ strict: false });
  const id = Number(params.id);
  const report = useQuery(channelReportQuery(id));
  const close = (): Promise<void> => navigate({ to: "/admin/channels", search: true });
  if (!report.data)
    return (
      <LoadingSheet title={t("上游账单")} error={report.error} onRetry={() => void report.refetch()} onClose={close} />
    );
  const { name, is_supported: isSupported, key_hint: hint, channel_ids: channels } = report.data;
  return (
    <Sheet open onOpenChange={(open) => !open && void close()}>
      <SheetContent
        onOpenAutoFocus={(event) => {
          // The sheet opens for reading: no field gets the focus.
          event.preventDefault();
          if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
        }}
      >
        <SheetHeader>
          <SheetTitle>{t("“{{name}}”的上游账单", { name })}</SheetTitle>
          <SheetDescription>
            {t("每晚取得上游组织的用量和费用报告，按天、模型和 Token 种类与日志比较。组织里别人的调用也在报告里。")}
          </SheetDescription>
        </SheetHeader>
        <div className="flex flex-1 flex-col gap-6 overflow-y-auto px-5 py-5">
          {isSupported ? (
            <>
              <KeyField id={id} hint={hint} />
              {channels.length > 1 && (
                <p className="text-[13px] text-muted-foreground">
                  {t("渠道 {{ids}} 使用同一个报告密钥，一起比较。", { ids: channels.join(", ") })}
                </p>
              )}
              <Days id={id} report={report.data} />
            </>
          ) : (
            <p className="text-[13px] text-muted-foreground">
              {t("只有 OpenAI、Anthropic 和 OpenRouter 的渠道有用量报告。")}
            </p>
          )}
        </div>
      </SheetContent>
    </Sheet>
  );
}
