import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Input } from "../../components/ui/input.tsx";
import { notifyProblem } from "../../lib/toast.ts";

type InlineNumberProps = {
  readonly label: string;
  /** Undefined when several channels differ. */
  readonly value: number | undefined;
  readonly min: number;
  /** The source sentence of the error for a value that is not an integer of at least `min`. */
  readonly rule: string;
  readonly onSave: (value: number) => void;
};

/** An integer that is edited in place: saved on Enter or blur, restored on Esc or invalid input. */
export function InlineNumber({ label, value, min, rule, onSave }: InlineNumberProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState<string>();
  const commit = (): void => {
    setDraft(undefined);
    if (draft === undefined || draft.trim() === "") return;
    const number = Number(draft);
    if (!Number.isInteger(number) || number < min) notifyProblem(t(rule), label);
    else if (number !== value) onSave(number);
  };
  return (
    <Input
      aria-label={label}
      inputMode="numeric"
      placeholder={value === undefined ? "—" : undefined}
      className="h-7 w-14 border-transparent bg-transparent px-2 text-right text-[13px] tabular-nums hover:border-input max-sm:text-sm"
      value={draft ?? (value === undefined ? "" : String(value))}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === "Enter") event.currentTarget.blur();
        if (event.key === "Escape") setDraft(undefined);
      }}
    />
  );
}
