import { TOKEN_KINDS, type TokenKind } from "@turnpike/contract/pricing/rules/price-rule";
import { useState } from "react";
import { Controller, type FieldError, type UseFormReturn, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { FieldFrame } from "../../../../components/form/field-frame.tsx";
import { NumberInput } from "../../../../components/form/number-input.tsx";
import { FoldedSection } from "../../../../components/form/section.tsx";
import { Input } from "../../../../components/ui/input.tsx";
import { KIND_LABELS } from "../../../../domain/models/token-kinds.ts";
import { translateProblem } from "../../section/translate-problem.ts";
import type { PieceKind, RuleDraft } from "./rule-draft.ts";

export type FormProps = { readonly form: UseFormReturn<RuleDraft> };
export type BandsName = "bands" | `tiers.${number}.bands`;
type RatesName = "rates" | `tiers.${number}.rates` | `${BandsName}.${number}.rates`;

type NumberName =
  | `${RatesName}.${TokenKind}`
  | `${BandsName}.${number}.above`
  | `pieces.${PieceKind}`
  | `images.${number}.dollars`
  | `regions.${number}.factor`;
type TextName = `tiers.${number}.name` | `images.${number}.kind` | `regions.${number}.name`;

const getMessage = (error: FieldError | undefined, values: Readonly<Record<string, string>> = {}): string | undefined =>
  error?.message && translateProblem({ message: error.message, values });

type NumberFieldProps = FormProps & {
  readonly name: NumberName;
  readonly label: string;
  readonly className?: string;
  readonly min: number;
  readonly step?: number;
};

export function NumberField({ form, name, label, className = "", ...input }: NumberFieldProps) {
  return (
    <Controller
      control={form.control}
      name={name}
      render={({ field, fieldState }) => (
        <FieldFrame label={label} className={className} error={getMessage(fieldState.error)}>
          {(control) => (
            <NumberInput {...control} {...input} ref={field.ref} value={field.value} onValueChange={field.onChange} />
          )}
        </FieldFrame>
      )}
    />
  );
}

type NameFieldProps = FormProps & { readonly name: TextName; readonly label: string };

/** A name within the rule: of a tier, a kind of image or a region. */
export function NameField({ form, name, label }: NameFieldProps) {
  const { error } = form.getFieldState(name, form.formState);
  return (
    <FieldFrame label={label} className="flex-1" error={getMessage(error, { name: form.getValues(name) })}>
      {(control) => (
        <Input {...control} {...form.register(name)} className="font-mono" autoComplete="off" autoCapitalize="none" />
      )}
    </FieldFrame>
  );
}

/** The kinds that almost every model has; the others are folded until one of them is set. */
const COMMON_KINDS: readonly TokenKind[] = ["input", "output", "cache_read", "cache_write", "cache_write_1h"];
const OTHER_KINDS = TOKEN_KINDS.filter((kind) => !COMMON_KINDS.includes(kind));

type RatesProps = FormProps & { readonly name: RatesName };

function KindFields({ form, name, kinds }: RatesProps & { readonly kinds: readonly TokenKind[] }) {
  const { t } = useTranslation();
  return (
    <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
      {kinds.map((kind) => (
        <NumberField key={kind} form={form} name={`${name}.${kind}`} label={t(KIND_LABELS[kind] ?? kind)} min={0} />
      ))}
    </div>
  );
}

/** The prices of one place of the rule. */
export function RateFields({ form, name }: RatesProps) {
  const { t } = useTranslation();
  const rates = useWatch({ control: form.control, name });
  const setCount = OTHER_KINDS.filter((kind) => !Number.isNaN(rates[kind])).length;
  const [isOpen, setOpen] = useState(setCount > 0);
  const { error } = form.getFieldState(name, form.formState);
  const hasError = OTHER_KINDS.some((kind) => error !== undefined && kind in error);
  return (
    <>
      <KindFields form={form} name={name} kinds={COMMON_KINDS} />
      <FoldedSection
        title={t("音频、图片、视频和推理")}
        {...(setCount > 0 ? { summary: t("已设置 {{count}} 项", { count: setCount }) } : {})}
        open={isOpen || hasError}
        onOpenChange={setOpen}
      >
        <KindFields form={form} name={name} kinds={OTHER_KINDS} />
      </FoldedSection>
    </>
  );
}
