import { useMutation } from "@tanstack/react-query";
import { getRouteApi, useNavigate, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { CenteredPage } from "../../components/centered-page.tsx";
import { signIn } from "../../lib/account.ts";
import { describeError } from "../../lib/api-error.ts";
import { useSession } from "../../lib/session.ts";
import { useSiteStatus } from "../../lib/status.ts";
import { LoginForm } from "./login-form.tsx";
import { safeReturnTo } from "./return-to.ts";

const route = getRouteApi("/login");

/** Sign-in with a password, and back to where one was. */
export function LoginPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const router = useRouter();
  const { expired, returnTo } = route.useSearch();
  const status = useSiteStatus();
  const login = useMutation({ mutationFn: signIn, onSuccess: () => router.history.push(safeReturnTo(returnTo)) });
  useEffect(() => {
    if (useSession.getState().user) void navigate({ to: "/", replace: true });
  }, [navigate]);
  return (
    <CenteredPage title={t("登录 {{site}}", { site: status?.system_name ?? "Turnpike" })}>
      {expired === true && !login.isError && (
        <p role="status" className="rounded-lg bg-warn-soft px-3 py-2 text-[13px] text-warn">
          {t("未登录或登录已过期，请重新登录")}
        </p>
      )}
      {login.isError && (
        <p role="alert" className="rounded-lg bg-bad-soft px-3 py-2 text-[13px] text-bad">
          {describeError(login.error, t)}
        </p>
      )}
      <LoginForm
        isBusy={login.isPending}
        isRefused={login.isError}
        onSubmit={({ username, password }) =>
          login.mutateAsync({ username: username.trim(), password }).catch(() => undefined)
        }
      />
    </CenteredPage>
  );
}
