import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation } from "@tanstack/react-query";
import { getRouteApi, useNavigate, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { CenteredPage } from "../../components/centered-page.tsx";
import { Field } from "../../components/form/field.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Input } from "../../components/ui/input.tsx";
import { signIn } from "../../lib/account.ts";
import { describeError } from "../../lib/api-error.ts";
import { text } from "../../lib/i18n-source.ts";
import { useSession } from "../../lib/session.ts";
import { useSiteStatus } from "../../lib/status.ts";
import { safeReturnTo } from "./return-to.ts";

const LoginForm = z.object({
  username: z.string().trim().min(1, text("请输入用户名或邮箱")),
  password: z.string().min(1, text("请输入密码")),
});

const route = getRouteApi("/login");

/** Sign-in with a password, and back to where one was. */
export function LoginPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const router = useRouter();
  const { expired, returnTo } = route.useSearch();
  const status = useSiteStatus();
  const form = useForm({ resolver: zodResolver(LoginForm), defaultValues: { username: "", password: "" } });
  const login = useMutation({
    mutationFn: signIn,
    onSuccess: () => router.history.push(safeReturnTo(returnTo)),
    onError: () => form.setFocus("password", { shouldSelect: true }),
  });
  const { errors } = form.formState;
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
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => void form.handleSubmit((values) => login.mutate(values))(event)}
      >
        <Field label={t("用户名或邮箱")} error={errors.username}>
          {(control) => (
            <Input
              {...control}
              autoFocus
              autoComplete="username"
              autoCapitalize="none"
              {...form.register("username")}
            />
          )}
        </Field>
        <Field label={t("密码")} error={errors.password}>
          {(control) => (
            <Input {...control} type="password" autoComplete="current-password" {...form.register("password")} />
          )}
        </Field>
        <Button type="submit" variant="primary" busy={login.isPending}>
          {t("登录")}
        </Button>
      </form>
    </CenteredPage>
  );
}
