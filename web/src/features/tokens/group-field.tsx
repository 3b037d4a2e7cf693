import { useQuery } from "@tanstack/react-query";
import { Controller } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Field } from "../../components/form/field.tsx";
import { groupLabel } from "../../components/group-label.ts";
import { NativeSelect } from "../../components/ui/native-select.tsx";
import type { TokenFormReturn } from "./token-fields.tsx";
import { userGroupsQuery } from "./tokens-api.ts";

/** Which group a token calls as, with what the group costs. */
export function GroupField({ form }: { readonly form: TokenFormReturn }) {
  const { t } = useTranslation();
  const groups = useQuery(userGroupsQuery);
  const entries = Object.entries(groups.data ?? {});
  const none = groups.isSuccess && entries.length === 0;
  const stored = form.getValues("group");
  const gone = stored !== "" && groups.isSuccess && !Object.hasOwn(groups.data, stored);
  // "" is the user's own group on the wire too.
  const options = [
    { value: "", label: t("跟随用户的分组") },
    ...(gone ? [{ value: stored, label: stored }] : []),
    ...entries.map(([name, { desc, ratio }]) => ({ value: name, label: groupLabel(t, name, t(desc), ratio) })),
  ];
  return (
    <Controller
      control={form.control}
      name="group"
      render={({ field, fieldState }) => (
        <Field
          label={t("分组")}
          help={none ? t("管理员未设置用户可选分组") : t("分组决定可用的渠道和价格倍率。默认跟随用户的分组。")}
          error={fieldState.error}
        >
          {(control) => (
            <NativeSelect
              {...control}
              ref={field.ref}
              className="h-9"
              disabled={none}
              value={field.value}
              options={options}
              onBlur={field.onBlur}
              onValueChange={field.onChange}
            />
          )}
        </Field>
      )}
    />
  );
}
