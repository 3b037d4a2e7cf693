/** Says whether a value from outside is a T. Checks are written by hand: a schema library would be a tenth of the first load. */
export type Check<T> = (value: unknown) => value is T;

/** Any object that is no list. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const isText = (value: unknown): value is string => typeof value === "string";
export const isNumber = (value: unknown): value is number => typeof value === "number";
export const isFlag = (value: unknown): value is boolean => typeof value === "boolean";

/** For answers that nobody reads. */
export const isAnything = (_value: unknown): _value is unknown => true;

/** One of a few values. */
export const isOneOf =
  <const T>(...values: readonly T[]): Check<T> =>
  (value): value is T =>
    values.some((one) => one === value);

/** What the check says, or left out. */
export const isOptional =
  <T>(check: Check<T>): Check<T | undefined> =>
  (value): value is T | undefined =>
    value === undefined || check(value);

/** What the check says, or null. */
export const isNullable =
  <T>(check: Check<T>): Check<T | null> =>
  (value): value is T | null =>
    value === null || check(value);

export const isListOf =
  <T>(check: Check<T>): Check<T[]> =>
  (value): value is T[] =>
    Array.isArray(value) && value.every(check);

/** An object whose keys are names and whose values all are the same kind of thing. */
export const isMapOf =
  <T>(check: Check<T>): Check<Record<string, T>> =>
  (value): value is Record<string, T> =>
    isRecord(value) && Object.values(value).every(check);

/** An object with at least these fields; the compiler sees to it that they are the fields of T, none forgotten. */
export const isObjectOf = <T extends object>(fields: { readonly [Key in keyof T]-?: Check<T[Key]> }): Check<T> => {
  const checks = Object.entries<Check<unknown>>(fields);
  return (value): value is T => isRecord(value) && checks.every(([name, check]) => check(value[name]));
};
