import { type Control, Controller, type FieldPathByValue, type FieldValues } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { FieldFrame } from "./field-frame.tsx";
import { MoneyInput } from "./money-input.tsx";

type MoneyFieldProps<Values extends FieldValues> = {
  readonly control: Control<Values>;
  /** A field in quota units; NaN while it is empty. */
  readonly name: FieldPathByValue<Values, number>;
  readonly label: string;
  readonly help?: string;
  readonly required?: boolean;
  /** Values of the error's sentence. */
  readonly errorValues?: Readonly<Record<string, string>>;
  /** Amounts in dollars offered as buttons. */
  readonly presets?: readonly number[];
};

const NO_PRESETS: readonly number[] = [];

/** An amount of a form. */
export function MoneyField<Values extends FieldValues>(props: MoneyFieldProps<Values>) {
  const { control: formControl, name, errorValues, presets = NO_PRESETS, ...frame } = props;
  const { t } = useTranslation();
  return (
    <Controller
      control={formControl}
      name={name}
      render={({ field, fieldState: { error } }) => (
        <FieldFrame {...frame} error={error?.message && t(error.message, { ...errorValues })}>
          {(control) => (
            <MoneyInput
              control={control}
              ref={field.ref}
              quota={field.value}
              onQuotaChange={field.onChange}
              // An empty field that is skipped is not an error yet.
              onBlur={() => !Number.isNaN(field.value) && field.onBlur()}
              presets={presets}
            />
          )}
        </FieldFrame>
      )}
    />
  );
}
