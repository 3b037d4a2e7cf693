import { useState } from "react";
import { Input } from "../../components/ui/input.tsx";

type InlineNumberProps = {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly onSave: (value: number) => void;
};

/** A whole number that is edited where it stands: saved on Enter or on leaving, put back on Esc or nonsense. */
export function InlineNumber({ label, value, min, onSave }: InlineNumberProps) {
  const [draft, setDraft] = useState<string>();
  const commit = (): void => {
    const number = Number(draft ?? value);
    setDraft(undefined);
    if (draft !== undefined && draft.trim() !== "" && Number.isInteger(number) && number >= min && number !== value) {
      onSave(number);
    }
  };
  return (
    <Input
      aria-label={label}
      inputMode="numeric"
      className="h-7 w-14 border-transparent bg-transparent px-2 text-right text-[13px] tabular-nums hover:border-input max-sm:text-sm"
      value={draft ?? String(value)}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === "Enter") event.currentTarget.blur();
        if (event.key === "Escape") setDraft(undefined);
      }}
    />
  );
}
