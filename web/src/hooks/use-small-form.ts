import { type ChangeEvent, type FormEvent, useState } from "react";
import type { z } from "zod";

/**
 * A form of a few text fields, checked by a zod schema on blur and on submit. For the pages that people see first, where
 * loading the form library would cost more than it gives.
 */
export function useSmallForm<Values extends Readonly<Record<string, string>>>(schema: z.ZodType, initial: Values) {
  const [values, setValues] = useState(initial);
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set());
  const issues = schema.safeParse(values).error?.issues ?? [];
  const show = (names: readonly string[]): void => setShown((now) => new Set([...now, ...names]));
  return {
    values,
    set: (name: keyof Values & string, value: string): void => setValues((now) => ({ ...now, [name]: value })),
    /** The source sentence of what is wrong with a field, once it should be said. */
    errorOf: (name: keyof Values & string): string | undefined =>
      shown.has(name) ? issues.find(({ path }) => path[0] === name)?.message : undefined,
    /** What an input of the field needs. */
    field: (name: keyof Values & string) => ({
      name,
      value: values[name] ?? "",
      onChange: (event: ChangeEvent<HTMLInputElement>) => setValues((now) => ({ ...now, [name]: event.target.value })),
      onBlur: () => values[name] !== "" && show([name]),
    }),
    /** Calls `send` with the values, or shows what is wrong and goes to the first wrong field. */
    submit: (send: (values: Values) => void) => (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      show(Object.keys(values));
      const first = issues[0]?.path[0];
      if (first === undefined) return send(values);
      const input = event.currentTarget.elements.namedItem(String(first));
      if (input instanceof HTMLElement) input.focus();
    },
  };
}
