import { useMutation } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate, useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { CenteredPage } from "../../components/centered-page.tsx";
import { Notice } from "../../components/notice.tsx";
import { describeError } from "../../lib/api/api-error.ts";
import { useSession } from "../../lib/session/session.ts";
import { useSiteStatus } from "../../lib/status.ts";
import { LoginForm } from "./login-form.tsx";
import { OtherWays } from "./other-ways.tsx";
import { toSafeReturnAddress } from "./return-to.ts";
import { SecondFactorForm } from "./second-factor-form.tsx";
import { type SignInOutcome, signInWithPassword } from "../../domain/identity/sign-in-api.ts";
import { useSignInOptions } from "./sign-in-offer.ts";
import { useTurnstile } from "../../domain/identity/use-turnstile.tsx";

const route = getRouteApi("/login");

function Links({ aff }: { readonly aff: string | undefined }) {
  const { t } = useTranslation();
  const offer = useSignInOptions();
  const classes = "text-accent-text underline-offset-4 hover:underline";
  return (
    <nav aria-label={t("其他操作")} className="flex flex-wrap justify-between gap-x-4 gap-y-1 text-[13px]">
      {offer.password && (
        <Link to="/reset" className={classes}>
          {t("忘记密码？")}
        </Link>
      )}
      {offer.registration && (
        <Link to="/register" search={aff === undefined ? {} : { aff }} className={classes}>
          {t("没有账户？注册")}
        </Link>
      )}
    </nav>
  );
}

/** The site's ways to sign in, and the second step for users who have one. */
function SignIn({ onDone }: { readonly onDone: () => void }) {
  const { t } = useTranslation();
  const { expired, returnTo, aff } = route.useSearch();
  const offer = useSignInOptions();
  const turnstile = useTurnstile();
  const [step, setStep] = useState<"first" | "second">("first");
  const [error, setError] = useState<string>();
  const onOutcome = (outcome: SignInOutcome): void => {
    if (outcome === "signed-in") onDone();
    else setStep("second");
  };
  const login = useMutation({
    mutationFn: (credentials: { username: string; password: string }) =>
      signInWithPassword(credentials, turnstile.token),
    onMutate: () => setError(undefined),
    onSuccess: onOutcome,
    onError: (failure) => setError(describeError(failure, t)),
  });
  if (step === "second") return <SecondFactorForm onDone={onDone} onCancel={() => setStep("first")} />;
  return (
    <>
      {expired === true && error === undefined && <Notice tone="warn">{t("未登录或登录已过期，请重新登录")}</Notice>}
      {error !== undefined && <Notice tone="bad">{error}</Notice>}
      {offer.password && (
        <>
          <LoginForm
            isBusy={login.isPending}
            isRefused={login.isError}
            onSubmit={async ({ username, password }) => {
              if (turnstile.wait !== undefined) return setError(turnstile.wait);
              await login.mutateAsync({ username: username.trim(), password }).catch(() => undefined);
            }}
          />
          {turnstile.widget}
        </>
      )}
      {offer.password && offer.others && (
        <p className="flex items-center gap-3 text-[13px] text-muted-foreground before:h-px before:flex-1 before:bg-border after:h-px after:flex-1 after:bg-border">
          {t("或")}
        </p>
      )}
      <div className="flex flex-col gap-2 empty:hidden">
        <OtherWays
          aff={aff}
          returnTo={toSafeReturnAddress(returnTo)}
          onOutcome={onOutcome}
          onError={(failure) => setError(describeError(failure, t))}
        />
      </div>
      <Links aff={aff} />
    </>
  );
}

/** Sign-in, then back to the previous page. */
export function LoginPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const router = useRouter();
  const { returnTo } = route.useSearch();
  const status = useSiteStatus();
  useEffect(() => {
    if (useSession.getState().user) void navigate({ to: "/", replace: true });
  }, [navigate]);
  return (
    <CenteredPage title={t("登录 {{site}}", { site: status?.system_name ?? "Turnpike" })}>
      <SignIn onDone={() => router.history.push(toSafeReturnAddress(returnTo))} />
    </CenteredPage>
  );
}
