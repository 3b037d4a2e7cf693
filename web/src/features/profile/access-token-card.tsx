import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { confirm } from "../../components/confirm.ts";
import { CopyButton } from "../../components/copy-button.tsx";
import { copyText } from "../../components/copy-text.ts";
import { Notice } from "../../components/notice.tsx";
import { BusyButton } from "../../components/busy-button.tsx";
import { notifyError, notifySuccess } from "../../lib/toast.ts";
import { makeAccessToken } from "./profile-api.ts";
import { TitledCard } from "./titled-card.tsx";

/** The token with which programs use the console's own API as this user. */
export function AccessTokenCard() {
  const { t } = useTranslation();
  const make = useMutation({
    mutationFn: makeAccessToken,
    onSuccess: async (token) => {
      if (await copyText(token)) notifySuccess(t("令牌已复制"));
    },
    onError: notifyError,
  });
  const request = async (): Promise<void> => {
    const sure = await confirm({
      title: t("生成新的系统访问令牌？"),
      description: t("之前的令牌会立刻失效。"),
      action: t("生成"),
    });
    if (sure) make.mutate();
  };
  return (
    <TitledCard
      title={t("系统访问令牌")}
      description={t("让程序以您的身份调用本站的管理接口，不能用来调用模型。")}
      actions={
        <BusyButton variant="outline" size="sm" busy={make.isPending} onClick={() => void request()}>
          {t("生成")}
        </BusyButton>
      }
    >
      {make.data !== undefined && (
        <>
          <Notice tone="warn">{t("只显示这一次，请妥善保管：持有它的人可以做您能做的一切。")}</Notice>
          <p className="flex items-center gap-1 rounded-lg bg-surface py-1 pr-1 pl-3">
            <code className="min-w-0 flex-1 font-mono text-xs break-all">{make.data}</code>
            <CopyButton value={make.data} label={t("复制系统访问令牌")} />
          </p>
        </>
      )}
    </TitledCard>
  );
}
