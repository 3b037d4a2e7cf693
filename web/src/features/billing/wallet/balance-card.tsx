import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Money } from "../../../components/money.tsx";
import { ErrorState } from "../../../components/states.tsx";
import { Card, CardContent } from "../../../components/ui/card.tsx";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import { selfQuery } from "../../../lib/session/account.ts";
import { formatCount } from "../../../lib/text/format.ts";

/** The user's balance and spending. */
export function BalanceCard() {
  const { t } = useTranslation();
  // Calls may spend while this page is not visible: the cached value is shown, then refetched.
  const self = useQuery({ ...selfQuery, refetchOnMount: "always" });
  if (self.isError && !self.data) return <ErrorState error={self.error} onRetry={() => void self.refetch()} />;
  const user = self.data;
  return (
    <Card>
      <CardContent className="flex flex-col gap-4">
        <div>
          <h2 className="text-[13px] text-muted-foreground">{t("当前余额")}</h2>
          {user ? (
            <p className={`text-3xl font-semibold ${user.quota < 0 ? "text-destructive" : ""}`}>
              <Money quota={user.quota} />
            </p>
          ) : (
            <Skeleton className="mt-1 h-9 w-40" />
          )}
        </div>
        <dl className="flex flex-wrap gap-x-8 gap-y-2 border-t pt-3">
          <div>
            <dt className="text-[13px] text-muted-foreground">{t("历史消耗")}</dt>
            <dd>{user ? <Money quota={user.used_quota} /> : <Skeleton className="h-5 w-20" />}</dd>
          </div>
          <div>
            <dt className="text-[13px] text-muted-foreground">{t("请求次数")}</dt>
            <dd className="tabular-nums">
              {user ? formatCount(user.request_count) : <Skeleton className="h-5 w-20" />}
            </dd>
          </div>
          <div>
            <dt className="text-[13px] text-muted-foreground">{t("分组")}</dt>
            <dd>{user ? user.group : <Skeleton className="h-5 w-20" />}</dd>
          </div>
        </dl>
      </CardContent>
    </Card>
  );
}
