import { useMutation, useQuery } from "@tanstack/react-query";
import { CalendarCheck } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useFormatMoney } from "../../components/money.tsx";
import { ErrorState } from "../../components/states.tsx";
import { BusyButton } from "../../components/busy-button.tsx";
import { queryClient } from "../../lib/api/query-client.ts";
import { notifyError, notifySuccess } from "../../lib/toast.ts";
import { checkIn, checkInQuery, refreshSelf } from "./profile-api.ts";
import { TitledCard } from "./titled-card.tsx";

/** Today's reward. */
export function CheckInCard() {
  const { t } = useTranslation();
  const formatMoney = useFormatMoney();
  const status = useQuery(checkInQuery);
  const take = useMutation({
    mutationFn: checkIn,
    onSuccess: (quota) => notifySuccess(t("签到成功，获得 {{amount}}", { amount: formatMoney(quota) })),
    onError: notifyError,
    onSettled: async () => {
      await Promise.all([queryClient.invalidateQueries({ queryKey: checkInQuery.queryKey }), refreshSelf()]);
    },
  });
  const canTake = status.data?.can_check_in === true;
  const done = status.data?.checked_in_today === true;
  return (
    <TitledCard
      title={t("每日签到")}
      description={
        done
          ? t("今天已签到，获得 {{amount}}。", { amount: formatMoney(status.data?.quota ?? 0) })
          : t("每天一次，获得额度。")
      }
      actions={
        <BusyButton
          variant={canTake ? "default" : "outline"}
          busy={take.isPending}
          disabled={!canTake}
          onClick={() => take.mutate()}
        >
          <CalendarCheck />
          {done ? t("今日已签到") : t("签到")}
        </BusyButton>
      }
    >
      {status.isError && !status.data && <ErrorState error={status.error} onRetry={() => void status.refetch()} />}
    </TitledCard>
  );
}
