import { zodResolver } from "@hookform/resolvers/zod";
import { type SetupBody, type SetupState, SetupState as SetupStateSchema } from "@turnpike/contract/api/status";
import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { Controller, useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { CenteredPage } from "../../components/centered-page.tsx";
import { Field } from "../../components/form/field.tsx";
import { ErrorState } from "../../components/states.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Input } from "../../components/ui/input.tsx";
import { Label } from "../../components/ui/label.tsx";
import { RadioCard, RadioGroup } from "../../components/ui/radio-group.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { api } from "../../lib/api-client.ts";
import { describeError } from "../../lib/api-error.ts";
import { text } from "../../lib/i18n-source.ts";
import { ModeForm, NewRootForm, type SetupValues, USAGE_MODES, type UsageMode } from "./setup-form.ts";

const setupQuery = queryOptions({
  queryKey: ["setup"],
  queryFn: ({ signal }) => api.get("/api/setup", { schema: SetupStateSchema, signal }),
});

const MODE_TEXTS: Readonly<Record<UsageMode, { title: string; help: string }>> = {
  external: { title: text("对外运营"), help: text("为其他用户提供服务，并向他们计费。") },
  self: { title: text("自用模式"), help: text("只给自己用：隐藏注册入口，未设置价格的模型也可以调用。") },
  demo: { title: text("演示站点"), help: text("给人看的站点，页面上会有标记。") },
};

const RELOAD_AFTER_MS = 1_500;

const bodyOf = ({ mode, ...account }: SetupValues): SetupBody => ({
  ...account,
  SelfUseModeEnabled: mode === "self",
  DemoSiteEnabled: mode === "demo",
});

/** The first page of a fresh site: the administrator's account and what the site is for. */
export function SetupPage() {
  const { t } = useTranslation();
  const setup = useQuery(setupQuery);
  return (
    <CenteredPage title={t("初始化系统")} description={t("创建管理员账户并选择使用方式，只需一次。")}>
      {setup.isPending && <Skeleton className="h-64 w-full" />}
      {setup.isError && <ErrorState error={setup.error} onRetry={() => void setup.refetch()} />}
      {setup.data && <SetupForm state={setup.data} />}
    </CenteredPage>
  );
}

function SetupForm({ state }: { readonly state: SetupState }) {
  const { t } = useTranslation();
  const form = useForm<SetupValues>({
    resolver: zodResolver(state.root_init ? ModeForm : NewRootForm),
    mode: "onTouched",
    defaultValues: { mode: "external", username: "", password: "", confirmPassword: "" },
  });
  const run = useMutation({
    mutationFn: (values: SetupValues) => api.post("/api/setup", { body: bodyOf(values), schema: z.unknown() }),
    // A full load, so that nothing of the site before setup is left over.
    onSuccess: () => setTimeout(() => window.location.assign("/login?returnTo=%2Fapp%2Fdashboard"), RELOAD_AFTER_MS),
  });
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => void form.handleSubmit((values) => run.mutate(values))(event)}
    >
      {state.root_init ? (
        <p className="rounded-lg bg-info-soft px-3 py-2 text-[13px] text-info">
          {t("管理员账户已经创建，请选择使用方式。")}
        </p>
      ) : (
        <AccountFields form={form} />
      )}
      <div className="flex flex-col gap-1.5">
        <Label id="setup-mode">{t("使用方式")}</Label>
        <Controller
          control={form.control}
          name="mode"
          render={({ field }) => (
            <RadioGroup aria-labelledby="setup-mode" value={field.value} onValueChange={field.onChange}>
              {USAGE_MODES.map((mode) => (
                <RadioCard key={mode} value={mode}>
                  <span className="block text-sm font-medium">{t(MODE_TEXTS[mode].title)}</span>
                  <span className="block text-[13px] text-muted-foreground">{t(MODE_TEXTS[mode].help)}</span>
                </RadioCard>
              ))}
            </RadioGroup>
          )}
        />
      </div>
      {run.isError && (
        <p role="alert" className="rounded-lg bg-bad-soft px-3 py-2 text-[13px] text-bad">
          {describeError(run.error, t)}
        </p>
      )}
      {run.isSuccess && (
        <p role="status" className="rounded-lg bg-good-soft px-3 py-2 text-[13px] text-good">
          {t("初始化成功，即将前往登录页面…")}
        </p>
      )}
      <Button type="submit" variant="primary" busy={run.isPending} disabled={run.isSuccess}>
        {t("完成初始化")}
      </Button>
    </form>
  );
}

function AccountFields({ form }: { readonly form: ReturnType<typeof useForm<SetupValues>> }) {
  const { t } = useTranslation();
  const { errors } = form.formState;
  return (
    <>
      <Field label={t("管理员用户名")} error={errors.username}>
        {(control) => (
          <Input {...control} autoFocus autoComplete="username" autoCapitalize="none" {...form.register("username")} />
        )}
      </Field>
      <Field label={t("密码")} help={t("8 到 20 个字符。")} error={errors.password}>
        {(control) => <Input {...control} type="password" autoComplete="new-password" {...form.register("password")} />}
      </Field>
      <Field label={t("确认密码")} error={errors.confirmPassword}>
        {(control) => (
          <Input {...control} type="password" autoComplete="new-password" {...form.register("confirmPassword")} />
        )}
      </Field>
    </>
  );
}
