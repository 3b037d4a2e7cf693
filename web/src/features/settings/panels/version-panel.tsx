import type { UpdateCheck } from "@turnpike/contract/api/option";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { BusyButton } from "../../../components/busy-button.tsx";
import { describeError } from "../../../lib/api/api-error.ts";
import { formatTime } from "../../../lib/text/format.ts";
import { useSiteStatus } from "../../../lib/status.ts";
import { text } from "../../../lib/text/i18n-source.ts";
import { SettingsPanel } from "../section/settings-panel.tsx";
import { checkForUpdate, type OptionValues } from "../settings-api.ts";
import { VERSION } from "./other-panels.ts";

const PROBLEMS = {
  not_configured: text("没有设置检查更新的地址。"),
  unreachable: text("无法连接到更新地址，请稍后再试。"),
  unreadable: text("更新地址的回应无法识别。"),
} as const;

/** The result of a check for updates. */
function Outcome({ found }: { readonly found: UpdateCheck }) {
  const { t } = useTranslation();
  if (found.problem !== "") return <span className="text-warn">{t(PROBLEMS[found.problem])}</span>;
  if (!found.is_newer) return <span>{t("已是最新版本。")}</span>;
  return (
    <span>
      {t("有新版本 {{version}}。", { version: found.latest ?? "" })}{" "}
      {found.url?.startsWith("https://") === true && (
        <a href={found.url} target="_blank" rel="noreferrer" className="text-accent-text underline underline-offset-4">
          {t("查看")}
        </a>
      )}
    </span>
  );
}

/** The running version and its start time, and whether there is a newer one. */
export function VersionPanel({ values }: { readonly values: OptionValues }) {
  const { t, i18n } = useTranslation();
  const status = useSiteStatus();
  const check = useMutation({ mutationFn: checkForUpdate });
  return (
    <SettingsPanel panel={VERSION} values={values}>
      {() => (
        <>
          <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1 text-[13px]">
            <dt className="text-muted-foreground">{t("当前版本")}</dt>
            <dd className="font-mono">{status?.version}</dd>
            <dt className="text-muted-foreground">{t("启动时间")}</dt>
            <dd className="tabular-nums">{status && formatTime(status.start_time, i18n.language)}</dd>
          </dl>
          <div className="flex flex-wrap items-center gap-3">
            <BusyButton variant="outline" busy={check.isPending} onClick={() => check.mutate()}>
              {t("检查更新")}
            </BusyButton>
            <p role="status" className="text-[13px]">
              {check.data && <Outcome found={check.data} />}
              {check.isError && <span className="text-destructive">{describeError(check.error, t)}</span>}
            </p>
          </div>
        </>
      )}
    </SettingsPanel>
  );
}
