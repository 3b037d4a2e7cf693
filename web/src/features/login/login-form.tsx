import { type FormEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { FieldFrame } from "../../components/form/field-frame.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Input } from "../../components/ui/input.tsx";
import { text } from "../../lib/i18n-source.ts";

type Credentials = { readonly username: string; readonly password: string };
type LoginFormProps = {
  readonly isBusy: boolean;
  /** Resolves to whether the credentials were taken. */
  readonly onSubmit: (credentials: Credentials) => Promise<boolean>;
};

const FIELDS = [
  {
    name: "username",
    label: text("用户名或邮箱"),
    missing: text("请输入用户名或邮箱"),
    type: "text",
    autoComplete: "username",
  },
  {
    name: "password",
    label: text("密码"),
    missing: text("请输入密码"),
    type: "password",
    autoComplete: "current-password",
  },
] as const;

/** The two fields of a sign-in. A plain form: the form library is not worth loading for the first page people see. */
export function LoginForm({ isBusy, onSubmit }: LoginFormProps) {
  const { t } = useTranslation();
  const form = useRef<HTMLFormElement>(null);
  const [missing, setMissing] = useState<readonly string[]>([]);
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const read = (name: string): string => {
      const value = data.get(name);
      return typeof value === "string" ? value : "";
    };
    const credentials = { username: read("username").trim(), password: read("password") };
    const empty = FIELDS.map(({ name }) => name).filter((name) => credentials[name] === "");
    setMissing(empty);
    const wrong = empty[0] ?? ((await onSubmit(credentials)) ? undefined : "password");
    if (wrong !== undefined) form.current?.querySelector<HTMLInputElement>(`[name=${wrong}]`)?.select();
  };
  return (
    <form ref={form} noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      {FIELDS.map(({ name, label, missing: sentence, type, autoComplete }) => (
        <FieldFrame key={name} label={t(label)} error={missing.includes(name) ? t(sentence) : undefined}>
          {(control) => (
            <Input
              {...control}
              name={name}
              type={type}
              autoFocus={name === "username"}
              autoComplete={autoComplete}
              autoCapitalize="none"
            />
          )}
        </FieldFrame>
      ))}
      <Button type="submit" variant="primary" busy={isBusy}>
        {t("登录")}
      </Button>
    </form>
  );
}
