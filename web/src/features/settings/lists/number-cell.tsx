import { useState } from "react";
import { Input } from "../../../components/ui/input.tsx";

type NumberCellProps = {
  readonly label: string;
  readonly value: number;
  /** Called with numbers of 0 or more only. */
  readonly onValue: (value: number) => void;
};

/** A number in a table. Invalid input stays in the field, marked, and changes nothing. */
export function NumberCell({ label, value, onValue }: NumberCellProps) {
  const [draft, setDraft] = useState<string>();
  const read = (source: string): number | undefined => {
    const number = Number(source);
    return source.trim() !== "" && Number.isFinite(number) && number >= 0 ? number : undefined;
  };
  return (
    <Input
      aria-label={label}
      inputMode="decimal"
      autoComplete="off"
      aria-invalid={draft !== undefined && read(draft) === undefined ? true : undefined}
      className="h-8 w-24 text-right tabular-nums"
      value={draft ?? String(value)}
      onChange={(event) => {
        setDraft(event.target.value);
        const number = read(event.target.value);
        if (number !== undefined) onValue(number);
      }}
      onBlur={() => {
        if (draft !== undefined && read(draft) !== undefined) setDraft(undefined);
      }}
    />
  );
}
