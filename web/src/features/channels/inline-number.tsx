import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Input } from "../../components/ui/input.tsx";
import { notifyProblem } from "../../lib/toast.ts";

type InlineNumberProps = {
  readonly label: string;
  /** Undefined where several channels differ. */
  readonly value: number | undefined;
  readonly min: number;
  /** The source sentence of what is wrong with anything but a whole number of at least `min`. */
  readonly rule: string;
  readonly onSave: (value: number) => void;
};

/** A whole number that is edited where it stands: saved on Enter or on leaving, put back on Esc or nonsense. */
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
