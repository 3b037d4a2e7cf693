import type { UserProfile } from "@turnpike/contract/api/user";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { confirm } from "../../components/confirm.ts";
import { BusyButton } from "../../components/busy-button.tsx";
import { notifyError, notifySuccess } from "../../lib/toast.ts";
import { deleteSelf } from "./profile-api.ts";
import { TitledCard } from "./titled-card.tsx";

/** Account deletion. */
export function DeleteCard({ user }: { readonly user: UserProfile }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => deleteSelf({ username: user.username }),
    onSuccess: async () => {
      notifySuccess(t("账户已删除"));
      await navigate({ to: "/login" });
    },
    onError: notifyError,
  });
  const request = async (): Promise<void> => {
    const sure = await confirm({
      title: t("删除账户“{{name}}”？", { name: user.username }),
      description: t("余额和所有令牌会作废，用户名不能再被注册，此操作无法撤销。"),
      action: t("删除账户"),
      danger: true,
      typed: user.username,
    });
    if (sure) remove.mutate();
  };
  return (
    <TitledCard
      title={t("删除账户")}
      description={t("余额和所有令牌会作废，无法恢复。")}
      actions={
        <BusyButton
          variant="outline"
          size="sm"
          className="text-destructive"
          busy={remove.isPending}
          onClick={() => void request()}
        >
          {t("删除账户")}
        </BusyButton>
      }
    />
  );
}
