import { zodResolver } from "@hookform/resolvers/zod";
import type { ChangeEvent, FocusEvent, SyntheticEvent } from "react";
import { type DefaultValues, type FieldValues, type Path, useForm, useWatch } from "react-hook-form";
import type { z } from "zod/mini";
import { type FieldsByCode, findRefusedField } from "../lib/api/refused-field.ts";
import { notifyError } from "../lib/toast.ts";
import { useOnce } from "./use-once.ts";

/**
 * A form of a few fields, validated on blur and on submit. `schema` has a source sentence for each rule; it uses
 * `zod/mini`, which is a fraction of `zod`, because the pages of a first visit load it.
 */
export function useSmallForm<Values extends FieldValues>(
  schema: z.ZodMiniType<Values, Values>,
  initial: DefaultValues<Values>,
) {
  const form = useForm<Values, unknown, Values>({
    resolver: zodResolver(schema),
    mode: "onTouched",
    defaultValues: initial,
  });
  const values = useWatch({ control: form.control, compute: (current: Values) => ({ ...current }) });
  const once = useOnce();
  const { formState } = form;
  // Read while rendering, because React Hook Form reports only changes of what a render has read.
  const { isSubmitted } = formState;
  const names = new Set<Path<Values>>();
  const isValidated = (name: Path<Values>): boolean => isSubmitted || form.getFieldState(name, formState).isTouched;
  return {
    values,
    /** For fields that are not text inputs. */
    control: form.control,
    set: form.setValue,
    /** The source sentence of a field's error, after the field was left or the form submitted. */
    getError: (name: Path<Values>): string | undefined => form.getFieldState(name, formState).error?.message,
    /** Validates a field before it is left. */
    touch: (name: Path<Values>): void =>
      form.setValue(name, form.getValues(name), { shouldTouch: true, shouldValidate: true }),
    /** Properties of the field's input. */
    field: (name: Path<Values>) => {
      names.add(name);
      const { onChange, onBlur, ...input } = form.register(name);
      return {
        ...input,
        onChange: (event: ChangeEvent<HTMLInputElement>): void => {
          // A rule can compare two fields.
          const others = [...names].filter((other) => other !== name && isValidated(other));
          void onChange(event).then(() => others.length > 0 && form.trigger(others));
        },
        // An empty field that is skipped is not an error yet.
        onBlur: (event: FocusEvent<HTMLInputElement>): void => {
          if (event.target.value !== "") void onBlur(event);
        },
      };
    },
    /** Shows a message at a field, until the field changes. */
    showError: (name: Path<Values>, message: string): void => form.setError(name, { message }, { shouldFocus: true }),
    /** Shows a refusal at the field that it names, or that `fieldsByCode` names for it; everything else is a toast. */
    fail: (error: unknown, fieldsByCode: FieldsByCode<Path<Values>> = {}): void => {
      // Names of fields at the top are paths.
      const field = findRefusedField(error, Object.keys(form.getValues()) as Path<Values>[], fieldsByCode);
      if (field === undefined || !(error instanceof Error)) notifyError(error);
      else form.setError(field, { message: error.message }, { shouldFocus: true });
    },
    reset: (): void => form.reset(),
    /** Calls `send` with the values, one call at a time, or shows every error and focuses the first invalid field. */
    submit: (send: (values: Values) => Promise<unknown>) => {
      // The form counts as submitted before `send` ends, so that `send` can reset it.
      const handle = form.handleSubmit((valid) => once(() => send(valid)));
      return (event: SyntheticEvent): void => void handle(event);
    },
  };
}
