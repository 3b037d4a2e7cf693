import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { Controller } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Field } from "../../components/form/field.tsx";
import { RatioBadge } from "../../domain/groups/group-badge.tsx";
import { cn } from "../../lib/utils.ts";
import { RadioGroup, RadioGroupItem } from "../../components/ui/radio-group.tsx";
import type { TokenFormReturn } from "./token-form.ts";
import { userGroupsQuery } from "../../domain/tokens/tokens-api.ts";

type Choice = { readonly value: string; readonly name: string; readonly description: string; readonly ratio?: number };

type ChoicesProps = {
  readonly labelledBy: string;
  readonly describedBy: string;
  readonly value: string;
  readonly choices: readonly Choice[];
  readonly disabled: boolean;
  readonly onChange: (value: string) => void;
};

function Choices({ labelledBy, describedBy, value, choices, disabled, onChange }: ChoicesProps) {
  return (
    <RadioGroup
      value={value}
      onValueChange={onChange}
      disabled={disabled}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      className="flex max-h-64 flex-col gap-0 overflow-y-auto rounded-lg border border-input"
    >
      {choices.map((choice) => (
        <label
          key={choice.value}
          className={cn(
            "flex min-h-9 cursor-pointer items-center gap-2.5 border-b px-3 py-1.5 last:border-b-0 has-focus-visible:bg-muted",
            choice.value === value && "bg-selected",
            disabled && "cursor-default opacity-60",
          )}
        >
          <RadioGroupItem value={choice.value} />
          <span className="min-w-0 flex-1">
            <span className="font-medium">{choice.name}</span>
            {choice.description !== "" && choice.description !== choice.name && (
              <span className="ml-2 text-[13px] text-muted-foreground">{choice.description}</span>
            )}
          </span>
          {choice.ratio !== undefined && <RatioBadge ratio={choice.ratio} />}
        </label>
      ))}
    </RadioGroup>
  );
}

/** The group that a token's calls use, with its ratio. */
export function GroupField({ form }: { readonly form: TokenFormReturn }) {
  const { t } = useTranslation();
  const groups = useQuery(userGroupsQuery);
  const labelId = useId();
  const entries = Object.entries(groups.data ?? {});
  const none = groups.isSuccess && entries.length === 0;
  const stored = form.getValues("group");
  const removed = stored !== "" && groups.isSuccess && !Object.hasOwn(groups.data, stored);
  // "" is the user's own group on the wire too.
  const choices: readonly Choice[] = [
    { value: "", name: t("跟随用户的分组"), description: "" },
    ...(removed ? [{ value: stored, name: stored, description: t("您已不能使用这个分组") }] : []),
    ...entries.map(([name, { desc, ratio }]) => ({ value: name, name, description: t(desc), ratio })),
  ];
  return (
    <Controller
      control={form.control}
      name="group"
      render={({ field, fieldState }) => (
        <Field
          label={t("分组")}
          labelId={labelId}
          help={none ? t("管理员未设置用户可选分组") : t("分组决定可用的渠道和价格倍率。默认跟随用户的分组。")}
          error={fieldState.error}
        >
          {(control) => (
            <Choices
              labelledBy={labelId}
              describedBy={control["aria-describedby"]}
              value={field.value}
              choices={choices}
              disabled={none}
              onChange={field.onChange}
            />
          )}
        </Field>
      )}
    />
  );
}
