import { useTranslation } from "react-i18next";
import { SwitchRow } from "../../../components/form/field.tsx";
import { ErrorState } from "../../../components/states.tsx";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import { Switch } from "../../../components/ui/switch.tsx";
import { notifyError } from "../../../lib/toast.ts";
import { TitledCard } from "../titled-card.tsx";
import { useUserSetting } from "./use-user-setting.ts";

type Name = "acceptUnsetModelRatio" | "showIpInLogs";
type SwitchSettingProps = {
  readonly name: Name;
  /** Translated. */
  readonly title: string;
  readonly label: string;
  readonly help: string;
};

/** One switch, saved immediately; it switches back when saving fails. */
function SwitchSetting({ name, title, label, help }: SwitchSettingProps) {
  const { stored, error, retry, save } = useUserSetting();
  if (!stored)
    return error === null ? <Skeleton className="h-32 w-full" /> : <ErrorState error={error} onRetry={retry} />;
  const shown = save.isPending ? save.variables.setting[name] : stored[name];
  return (
    <TitledCard title={title}>
      <SwitchRow label={label} help={help}>
        {(control) => (
          <Switch
            {...control}
            checked={shown}
            disabled={save.isPending}
            onCheckedChange={(isOn) => save.mutate({ setting: { ...stored, [name]: isOn } }, { onError: notifyError })}
          />
        )}
      </SwitchRow>
    </TitledCard>
  );
}

/** Whether the user accepts unpriced models. */
export function PriceSettings() {
  const { t } = useTranslation();
  return (
    <SwitchSetting
      name="acceptUnsetModelRatio"
      title={t("价格设置")}
      label={t("接受未设置价格的模型")}
      help={t("打开后可以调用管理员没有设置价格的模型，费用可能很高，请只在信任本站时打开。默认关闭。")}
    />
  );
}

/** Other user settings. */
export function OtherSettings() {
  const { t } = useTranslation();
  return (
    <SwitchSetting
      name="showIpInLogs"
      title={t("其他设置")}
      label={t("在日志里记录 IP")}
      help={t("打开后，您的使用日志会记下调用者的 IP 地址。默认关闭。")}
    />
  );
}
