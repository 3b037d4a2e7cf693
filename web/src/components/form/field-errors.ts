import type { FieldValues, Path, UseFormReturn } from "react-hook-form";
import { ApiError } from "../../lib/api/api-error.ts";
import { type FieldsByCode, findRefusedField } from "../../lib/api/refused-field.ts";
import { notifyError } from "../../lib/toast.ts";

/** Shows a refusal at the field that it names, and gives that the focus. Everything else is a toast. */
export function showFormError<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  error: unknown,
  fieldsByCode: FieldsByCode<Path<Values>> = {},
): void {
  // Names of fields at the top are paths.
  const field = findRefusedField(error, Object.keys(form.getValues()) as Path<Values>[], fieldsByCode);
  if (field === undefined || !(error instanceof ApiError)) return notifyError(error);
  form.setError(field, { message: error.message }, { shouldFocus: true });
}
