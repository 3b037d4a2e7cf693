import type { UserProfile } from "@turnpike/contract/api/user";
import { USERNAME_LENGTH_MAX } from "@turnpike/contract/limits";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { z } from "zod/mini";
import { SmallFields } from "../../components/form/small-fields.tsx";
import { BusyButton } from "../../components/busy-button.tsx";
import { useSmallForm } from "../../hooks/use-small-form.ts";
import { text } from "../../lib/text/i18n-source.ts";
import { notifyError, notifySuccess } from "../../lib/toast.ts";
import { Username } from "../../domain/identity/registration-form.ts";
import { updateSelf } from "./profile-api.ts";
import { TitledCard } from "./titled-card.tsx";

const NamesForm = z.object({
  username: Username,
  displayName: z.string().check(z.trim(), z.maxLength(USERNAME_LENGTH_MAX, text("显示名称不能超过20个字符"))),
});
type Names = z.infer<typeof NamesForm>;

/** The user's name and display name. */
export function AccountCard({ user }: { readonly user: UserProfile }) {
  const { t } = useTranslation();
  const form = useSmallForm(NamesForm, {
    username: user.username,
    displayName: user.display_name,
  });
  const { username, displayName } = form.values;
  const isDirty = username.trim() !== user.username || displayName.trim() !== user.display_name;
  const save = useMutation({
    mutationFn: (names: Names) => updateSelf({ username: names.username, display_name: names.displayName }),
    onSuccess: () => notifySuccess(t("已保存")),
    onError: notifyError,
  });
  return (
    <TitledCard title={t("账户资料")}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={form.submit((names) => save.mutateAsync(names).catch(() => undefined))}
      >
        <SmallFields
          form={form}
          fields={[
            {
              name: "username",
              label: text("用户名"),
              help: text("用来登录，最多 20 个字符。"),
              autoComplete: "username",
            },
            { name: "displayName", label: text("显示名称"), autoComplete: "nickname" },
          ]}
        />
        <div>
          <BusyButton variant="outline" type="submit" busy={save.isPending} disabled={!isDirty}>
            {t("保存")}
          </BusyButton>
        </div>
      </form>
    </TitledCard>
  );
}
