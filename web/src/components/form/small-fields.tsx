import type { FieldValues, Path } from "react-hook-form";
import { useTranslation } from "react-i18next";
import type { useSmallForm } from "../../hooks/use-small-form.ts";
import { Input } from "../ui/input.tsx";
import { FieldFrame } from "./field-frame.tsx";

/** A text field of a small form; texts are source sentences. */
export type SmallField<Name extends string> = {
  readonly name: Name;
  readonly label: string;
  readonly help?: string;
  readonly type?: "text" | "password" | "email" | "url";
  readonly autoComplete?: string;
  readonly autoFocus?: boolean;
  readonly inputMode?: "numeric";
  readonly maxLength?: number;
};

type SmallFieldsProps<Values extends FieldValues> = {
  readonly form: ReturnType<typeof useSmallForm<Values>>;
  readonly fields: readonly SmallField<Path<Values>>[];
};

/** The fields of a small form, one below the other. */
export function SmallFields<Values extends FieldValues>({ form, fields }: SmallFieldsProps<Values>) {
  const { t } = useTranslation();
  return fields.map(({ name, label, help, ...input }) => {
    const error = form.getError(name);
    return (
      <FieldFrame
        key={name}
        label={t(label)}
        {...(help === undefined ? {} : { help: t(help) })}
        error={error && t(error)}
      >
        {(control) => <Input {...control} {...form.field(name)} autoCapitalize="none" {...input} />}
      </FieldFrame>
    );
  });
}
