import { useQuery } from "@tanstack/react-query";
import { Controller } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Field } from "../../components/form/field.tsx";
import { RatioBadge } from "../../components/group-badge.tsx";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "../../components/ui/select.tsx";
import type { TokenFormReturn } from "./token-fields.tsx";
import { userGroupsQuery } from "./tokens-api.ts";

// The select takes no empty value; on the wire "" is the user's own group.
const OWN_GROUP = "\u0000own";

/** Which group a token calls as, with what the group costs. */
export function GroupField({ form }: { readonly form: TokenFormReturn }) {
  const { t } = useTranslation();
  const groups = useQuery(userGroupsQuery);
  const entries = Object.entries(groups.data ?? {});
  const none = groups.isSuccess && entries.length === 0;
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
            <Select
              value={field.value === "" ? OWN_GROUP : field.value}
              onValueChange={(value) => field.onChange(value === OWN_GROUP ? "" : value)}
              disabled={none}
            >
              <SelectTrigger {...control} ref={field.ref} onBlur={field.onBlur}>
                <SelectValue />
              </SelectTrigger>
              <SelectContent>
                <SelectItem value={OWN_GROUP}>{t("跟随用户的分组")}</SelectItem>
                {field.value !== "" && !Object.hasOwn(groups.data ?? {}, field.value) && (
                  <SelectItem value={field.value}>{field.value}</SelectItem>
                )}
                {entries.map(([name, { desc, ratio }]) => (
                  <SelectItem key={name} value={name}>
                    <span className="inline-flex items-center gap-2">
                      {name}
                      <span className="text-muted-foreground">{t(desc)}</span>
                      <RatioBadge ratio={ratio} />
                    </span>
                  </SelectItem>
                ))}
              </SelectContent>
            </Select>
          )}
        </Field>
      )}
    />
  );
}
