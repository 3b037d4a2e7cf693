import { ApiError } from "./api-error.ts";

/** The fields that the codes of errors belong to. */
export type FieldsByCode<Field extends string> = Readonly<Record<string, Field>>;

/**
 * The field of a form that a refusal names: by the error's code, by its parameter `field`, or as one of the invalid
 * inputs that `detail` lists. Undefined for every other error.
 */
export function findRefusedField<Field extends string>(
  error: unknown,
  fields: readonly Field[],
  fieldsByCode: FieldsByCode<Field> = {},
): Field | undefined {
  if (!(error instanceof ApiError) || error.kind !== "refused") return undefined;
  const { code = "", params } = error.details;
  const byCode = fieldsByCode[code];
  if (byCode !== undefined) return byCode;
  const named = [params?.["field"] ?? "", ...(code === "invalid_input" ? (params?.["detail"] ?? "").split(", ") : [])];
  return fields.find((field) => named.includes(field));
}
