import { queryOptions, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useRouter } from "@tanstack/react-router";
import { LoaderCircle } from "lucide-react";
import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import { CenteredPage } from "../../components/centered-page.tsx";
import { Notice } from "../../components/notice.tsx";
import { Button } from "../../components/ui/button.tsx";
import { describeError } from "../../lib/api/api-error.ts";
import { toTextSearch } from "../../lib/text/search.ts";
import { isAdmin, useSession } from "../../lib/session/session.ts";
import { notifySuccess } from "../../lib/toast.ts";
import { toSafeReturnAddress } from "./return-to.ts";
import { SecondFactorForm } from "./second-factor-form.tsx";
import { finishOAuth, type OAuthProvider } from "../../domain/identity/sign-in-api.ts";
import { takeReturnAddress } from "../../domain/identity/return-address.ts";

const route = getRouteApi("/oauth/$provider");

// A query, because an effect that runs twice would use the code twice.
const callbackQuery = (provider: OAuthProvider, sent: Readonly<Record<string, string>>) =>
  queryOptions({
    queryKey: ["oauth", provider, sent],
    queryFn: () => finishOAuth(provider, sent),
    retry: false,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });

/** The page where binding started, else where consoles of this family show its result. */
const getBindingHome = (): string => (isAdmin(useSession.getState().user) ? "/admin/settings" : "/app/me");

/** The page to which a provider sends the browser back: signs the user in, or binds the account. */
export function OAuthPage() {
  const { t } = useTranslation();
  const router = useRouter();
  const { provider } = route.useParams();
  const user = useSession((state) => state.user);
  const { data: outcome, error } = useQuery(callbackQuery(provider as OAuthProvider, toTextSearch(route.useSearch())));
  const leave = (fallback: string): void =>
    router.history.replace(toSafeReturnAddress(takeReturnAddress() ?? fallback));
  const finish = useEffectEvent(() => {
    if (outcome === "signed-in") leave("/app/tokens");
    if (outcome === "bound") {
      notifySuccess(t("绑定成功"));
      leave(getBindingHome());
    }
  });
  useEffect(() => finish(), [outcome]);
  return (
    <CenteredPage title={t("第三方登录")}>
      {outcome === undefined && !error && (
        <p role="status" className="flex items-center justify-center gap-2 py-6 text-muted-foreground">
          <LoaderCircle className="size-4 animate-spin" aria-hidden />
          {t("正在处理，请稍候…")}
        </p>
      )}
      {outcome === "second-factor" && (
        <SecondFactorForm
          onDone={() => leave("/app/tokens")}
          onCancel={() => void router.navigate({ to: "/login", replace: true })}
        />
      )}
      {error && (
        <>
          <Notice tone="bad">{describeError(error, t)}</Notice>
          <Button variant="outline" asChild>
            {user ? (
              <Link to="/app/me" search={{ tab: "security" }}>
                {t("返回个人设置")}
              </Link>
            ) : (
              <Link to="/login">{t("返回登录")}</Link>
            )}
          </Button>
        </>
      )}
    </CenteredPage>
  );
}
