import { SetupState } from "@turnpike/contract/api/status";
import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { CenteredPage } from "../../components/centered-page.tsx";
import { FieldFrame } from "../../components/form/field-frame.tsx";
import { ErrorState } from "../../components/states.tsx";
import { BusyButton } from "../../components/busy-button.tsx";
import { Input } from "../../components/ui/input.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { useSmallForm } from "../../hooks/use-small-form.ts";
import { api } from "../../lib/api/api-client.ts";
import { describeError } from "../../lib/api/api-error.ts";
import { text } from "../../lib/text/i18n-source.ts";
import { ModeChoice } from "./mode-choice.tsx";
import { EMPTY_SETUP, ModeForm, RootSetupForm, toRequestBody } from "./setup-form.ts";

const setupQuery = queryOptions({
  queryKey: ["setup"],
  queryFn: ({ signal }) => api.get("/api/setup", { schema: SetupState, signal }),
});

const RELOAD_AFTER_MS = 1_500;

/** The first page of a new site: the administrator's account and the site's purpose. */
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
  const form = useSmallForm(state.root_init ? ModeForm : RootSetupForm, EMPTY_SETUP);
  const run = useMutation({
    mutationFn: (values: typeof EMPTY_SETUP) => api.post("/api/setup", { body: toRequestBody(values) }),
    // A full reload, so that no data from before the setup remains.
    onSuccess: () => setTimeout(() => window.location.assign("/login?returnTo=%2Fadmin%2Fstart"), RELOAD_AFTER_MS),
  });
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={form.submit((values) => run.mutateAsync(values).catch(() => undefined))}
    >
      {state.root_init ? (
        <p className="rounded-lg bg-info-soft px-3 py-2 text-[13px] text-info">
          {t("管理员账户已经创建，请选择使用方式。")}
        </p>
      ) : (
        <AccountFields form={form} />
      )}
      <ModeChoice value={form.values.mode} onChoose={(mode) => form.set("mode", mode)} />
      {run.isError && (
        <p role="alert" className="rounded-lg bg-destructive-soft px-3 py-2 text-[13px] text-destructive">
          {describeError(run.error, t)}
        </p>
      )}
      {run.isSuccess && (
        <p role="status" className="rounded-lg bg-good-soft px-3 py-2 text-[13px] text-good">
          {t("初始化成功，即将前往登录页面…")}
        </p>
      )}
      <BusyButton type="submit" busy={run.isPending} disabled={run.isSuccess}>
        {t("完成初始化")}
      </BusyButton>
    </form>
  );
}

const FIELDS = [
  { name: "username", label: text("管理员用户名"), type: "text", autoComplete: "username", help: undefined },
  {
    name: "password",
    label: text("密码"),
    type: "password",
    autoComplete: "new-password",
    help: text("8 到 20 个字符。"),
  },
  {
    name: "confirmPassword",
    label: text("确认密码"),
    type: "password",
    autoComplete: "new-password",
    help: undefined,
  },
] as const;

function AccountFields({ form }: { readonly form: ReturnType<typeof useSmallForm<typeof EMPTY_SETUP>> }) {
  const { t } = useTranslation();
  return FIELDS.map(({ name, label, type, autoComplete, help }) => {
    const error = form.getError(name);
    return (
      <FieldFrame key={name} label={t(label)} help={help && t(help)} error={error && t(error)}>
        {(control) => (
          <Input
            {...control}
            {...form.field(name)}
            type={type}
            autoFocus={name === "username"}
            autoComplete={autoComplete}
            autoCapitalize="none"
          />
        )}
      </FieldFrame>
    );
  });
}
