import type { UserProfile } from "@turnpike/contract/api/user";
import { ROLE } from "@turnpike/contract/codes";
import { useQuery } from "@tanstack/react-query";
import { Controller, type UseFormReturn } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Field } from "../../components/form/field.tsx";
import { Section } from "../../components/form/section.tsx";
import { Money } from "../../components/money.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Input } from "../../components/ui/input.tsx";
import { Textarea } from "../../components/ui/textarea.tsx";
import { OptionSelect } from "../../components/option-select.tsx";
import { formatCount } from "../../lib/text/format.ts";
import { text } from "../../lib/text/i18n-source.ts";
import { useSession } from "../../lib/session/session.ts";
import { groupNamesQuery } from "../../domain/groups/groups-api.ts";
import type { UserValues } from "./user-form.ts";

type FieldsProps = { readonly form: UseFormReturn<UserValues>; readonly user: UserProfile | undefined };

function ChosenGroup({ form, user }: FieldsProps) {
  const { t } = useTranslation();
  const groups = useQuery(groupNamesQuery);
  const names = [...new Set([...(user ? [user.group] : []), ...(groups.data ?? [])])];
  return (
    <Controller
      control={form.control}
      name="group"
      render={({ field, fieldState }) => (
        <Field label={t("分组")} help={t("决定可用的渠道和价格倍率。")} error={fieldState.error}>
          {(control) => (
            <OptionSelect
              {...control}
              ref={field.ref}
              className="h-9"
              value={field.value}
              options={names.map((name) => ({ value: name, label: name }))}
              onBlur={field.onBlur}
              onValueChange={field.onChange}
            />
          )}
        </Field>
      )}
    />
  );
}

function ChosenRole({ form }: Pick<FieldsProps, "form">) {
  const { t } = useTranslation();
  return (
    <Controller
      control={form.control}
      name="role"
      render={({ field, fieldState }) => (
        <Field label={t("身份")} help={t("管理员可以管理渠道、用户和设置。默认普通用户。")} error={fieldState.error}>
          {(control) => (
            <OptionSelect
              {...control}
              ref={field.ref}
              className="h-9"
              value={field.value}
              options={[
                { value: String(ROLE.user), label: t("普通用户") },
                { value: String(ROLE.admin), label: t("管理员") },
              ]}
              onBlur={field.onBlur}
              onValueChange={field.onChange}
            />
          )}
        </Field>
      )}
    />
  );
}

/** Name, password, and the fields that an administrator may set. */
export function UserFields({ form, user }: FieldsProps) {
  const { t } = useTranslation();
  const { errors } = form.formState;
  const isRoot = useSession((state) => state.user?.role === ROLE.root);
  return (
    <Section title={t("基本信息")}>
      <Field label={t("用户名")} required error={errors.username} help={t("登录用，1 到 20 个字符，不分大小写。")}>
        {(control) => <Input {...control} autoFocus={!user} autoComplete="off" {...form.register("username")} />}
      </Field>
      <Field label={t("显示名称")} error={errors.displayName} help={t("留空则显示用户名。")}>
        {(control) => <Input {...control} autoComplete="off" {...form.register("displayName")} />}
      </Field>
      <Field
        label={t("密码")}
        required={!user}
        error={errors.password}
        help={user ? t("留空则不修改。修改后该用户的所有登录会话都会结束。") : t("8 到 20 个字符。")}
      >
        {(control) => <Input {...control} type="password" autoComplete="new-password" {...form.register("password")} />}
      </Field>
      {user?.admin_note !== undefined && (
        <Field label={t("内部备注")} error={errors.note} help={t("只有管理员能看到，最多 2000 个字符。")}>
          {(control) => <Textarea {...control} rows={3} {...form.register("note")} />}
        </Field>
      )}
      {user ? <ChosenGroup form={form} user={user} /> : isRoot && <ChosenRole form={form} />}
    </Section>
  );
}

type BalanceProps = { readonly user: UserProfile; readonly onAdd: () => void };

/** The user's balance; changed by an addition, so that concurrent spending is not undone. */
export function UserBalance({ user, onAdd }: BalanceProps) {
  const { t } = useTranslation();
  const facts = [
    { label: t("余额"), value: <Money quota={user.quota} className={user.quota < 0 ? "text-destructive" : ""} /> },
    { label: t("已用额度"), value: <Money quota={user.used_quota} /> },
    { label: t("请求次数"), value: formatCount(user.request_count) },
  ];
  return (
    <Section title={t("余额与消耗")}>
      <div className="flex flex-wrap items-end justify-between gap-3">
        <dl className="flex flex-wrap gap-x-8 gap-y-2">
          {facts.map(({ label, value }) => (
            <div key={label}>
              <dt className="text-[13px] text-muted-foreground">{label}</dt>
              <dd className="tabular-nums">{value}</dd>
            </div>
          ))}
        </dl>
        <Button variant="outline" size="sm" onClick={onAdd}>
          {t("调整额度")}
        </Button>
      </div>
    </Section>
  );
}

const BINDINGS = [
  { key: "email", label: text("邮箱") },
  { key: "github_id", label: "GitHub" },
  { key: "oidc_id", label: "OIDC" },
  { key: "linux_do_id", label: "LINUX DO" },
  { key: "wechat_id", label: text("微信") },
  { key: "telegram_id", label: "Telegram" },
] as const;

/** Third-party accounts that the user signs in with. Only the user may change them. */
export function BoundAccounts({ user }: { readonly user: UserProfile }) {
  const { t } = useTranslation();
  return (
    <Section title={t("绑定的账户")}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5 text-[13px]">
        {BINDINGS.map(({ key, label }) => (
          <div key={key} className="contents">
            <dt className="text-muted-foreground">{t(label)}</dt>
            <dd className="min-w-0 break-all">
              {user[key] === "" ? <span className="text-muted-foreground">{t("未绑定")}</span> : user[key]}
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
