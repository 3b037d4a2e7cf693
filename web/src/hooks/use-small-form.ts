import { type ChangeEvent, type FormEvent, useState } from "react";
import { useOnce } from "./use-once.ts";

/** What is wrong, by field. */
export type Problems<Values> = { readonly [Name in keyof Values]?: string | undefined };

/**
 * A form of a few text fields, validated on blur and on submit. For the first pages of the console, where loading the form library would
 * cost too much. `findRegistrationProblems` returns the source sentence of the problem of each field.
 */
export function useSmallForm<Values extends Readonly<Record<string, string>>>(
  findRegistrationProblems: (values: Values) => Problems<Values>,
  initial: Values,
) {
  const [values, setValues] = useState(initial);
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set());
  const once = useOnce();
  const problems = findRegistrationProblems(values);
  const show = (names: readonly string[]): void => setShown((now) => new Set([...now, ...names]));
  return {
    values,
    set: (name: keyof Values & string, value: string): void => setValues((now) => ({ ...now, [name]: value })),
    /** The source sentence of what is wrong with a field, once it should be said. */
    parseStreamError: (name: keyof Values & string): string | undefined =>
      shown.has(name) ? problems[name] : undefined,
    /** Says what is wrong with a field before it was left. */
    touch: (name: keyof Values & string): void => show([name]),
    /** What an input of the field needs. */
    field: (name: keyof Values & string) => ({
      name,
      value: values[name] ?? "",
      onChange: (event: ChangeEvent<HTMLInputElement>) => setValues((now) => ({ ...now, [name]: event.target.value })),
      onBlur: () => values[name] !== "" && show([name]),
    }),
    reset: (): void => {
      setValues(initial);
      setShown(new Set());
    },
    /** Calls `send` with the values, once at a time, or shows what is wrong and goes to the first wrong field. */
    submit: (send: (values: Values) => Promise<unknown>) => (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      show(Object.keys(values));
      const first = Object.keys(values).find((name) => problems[name] !== undefined);
      if (first === undefined) return once(() => send(values));
      const input = event.currentTarget.elements.namedItem(first);
      if (input instanceof HTMLElement) input.focus();
    },
  };
}
