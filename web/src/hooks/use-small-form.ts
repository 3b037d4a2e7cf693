import { type ChangeEvent, type FormEvent, useState } from "react";
import { useOnce } from "./use-once.ts";

/** Source sentences of what is wrong, by field. */
export type Problems<Values> = { readonly [Name in keyof Values]?: string | undefined };

/**
 * A form of a few text fields, validated on blur and on submit. For the pages of a first visit, which do without the form library.
 * `findProblems` returns a source sentence for each invalid field.
 */
export function useSmallForm<Values extends Readonly<Record<string, string>>>(
  findProblems: (values: Values) => Problems<Values>,
  initial: Values,
) {
  const [values, setValues] = useState(initial);
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set());
  const once = useOnce();
  const problems = findProblems(values);
  const show = (names: readonly string[]): void => setShown((now) => new Set([...now, ...names]));
  return {
    values,
    set: (name: keyof Values & string, value: string): void => setValues((now) => ({ ...now, [name]: value })),
    /** The source sentence of a field's problem, once the field was left or the form submitted. */
    getError: (name: keyof Values & string): string | undefined => (shown.has(name) ? problems[name] : undefined),
    /** Shows the problem of a field before it was left. */
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
    /** Calls `send` with the values, once at a time, or shows every problem and focuses the first invalid field. */
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
