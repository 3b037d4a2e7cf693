import { useState } from "react";
import { useTranslation } from "react-i18next";
import { confirm } from "../../../components/confirm.ts";
import { FieldFrame } from "../../../components/form/field-frame.tsx";
import { BusyButton } from "../../../components/busy-button.tsx";
import { Input } from "../../../components/ui/input.tsx";
import { useOnce } from "../../../hooks/use-once.ts";
import { formatCount, formatTime } from "../../../lib/text/format.ts";
import { notifyError, notifySuccess } from "../../../lib/toast.ts";
import { SettingsPanel } from "../section/settings-panel.tsx";
import { clearLogs, type OptionValues } from "../settings-api.ts";
import { LOGS } from "./operation-log-panels.ts";

const MONTH_MS = 30 * 24 * 3_600_000;

/** A time for the browser's date-and-time field, in local time. */
const toLocalInput = (ms: number): string =>
  new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

/** Deletes old log rows after a question and shows how many were deleted. */
function ClearLogs() {
  const { t, i18n } = useTranslation();
  const once = useOnce();
  const [moment, setMoment] = useState(() => toLocalInput(Date.now() - MONTH_MS));
  const [isMissing, setMissing] = useState(false);
  const [busy, setBusy] = useState(false);
  const clear = async (): Promise<void> => {
    const beforeSeconds = Math.floor(new Date(moment).getTime() / 1000);
    setMissing(!Number.isFinite(beforeSeconds));
    if (!Number.isFinite(beforeSeconds)) return;
    const sure = await confirm({
      title: t("清除 {{time}} 之前的日志？", { time: formatTime(beforeSeconds, i18n.language) }),
      description: t(
        "所有用户在此之前的调用记录（成功和失败）都会删除，无法恢复。充值、签到、管理和系统记录会保留，余额和统计不受影响。",
      ),
      action: t("清除日志"),
      danger: true,
    });
    if (!sure) return;
    setBusy(true);
    try {
      const count = await clearLogs(beforeSeconds);
      notifySuccess(t("已清除 {{total}} 条日志", { total: formatCount(count), count }));
    } catch (error) {
      notifyError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <FieldFrame
      label={t("清除历史日志")}
      help={t("清除这个时间之前的调用记录，包括失败的。充值、签到、管理和系统记录会保留。")}
      error={isMissing ? t("请选择日志记录时间") : undefined}
    >
      {(control) => (
        <div className="flex flex-wrap items-center gap-2">
          <Input
            {...control}
            type="datetime-local"
            className="w-auto"
            value={moment}
            onChange={(event) => setMoment(event.target.value)}
          />
          <BusyButton variant="outline" busy={busy} onClick={() => once(clear)}>
            {t("清除日志")}
          </BusyButton>
        </div>
      )}
    </FieldFrame>
  );
}

/** What is logged, and the deletion of old logs. */
export function LogPanel({ values }: { readonly values: OptionValues }) {
  return (
    <SettingsPanel panel={LOGS} values={values}>
      {() => <ClearLogs />}
    </SettingsPanel>
  );
}
