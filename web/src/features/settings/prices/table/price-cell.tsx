import { ArrowRight } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Input } from "../../../../components/ui/input.tsx";
import { formatPrice } from "../../../../lib/text/format.ts";
import { notifyProblem } from "../../../../lib/toast.ts";

const PRICE_DIGITS = 8;

/** Dollars without the noise of a division. */
const toText = (dollars: number): string => String(Number(dollars.toPrecision(PRICE_DIGITS)));

type PriceCellProps = {
  readonly label: string;
  /** Dollars. */
  readonly value: number;
  /** The stored price; undefined where there is none. */
  readonly stored: number | undefined;
  readonly onChange: (dollars: number) => void;
};

/** A price that is edited in place: taken on Enter or blur, restored on Esc; a changed one is shown next to the stored one. */
export function PriceCell({ label, value, stored, onChange }: PriceCellProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState<string>();
  const isChanged = stored === undefined || toText(stored) !== toText(value);
  const commit = (): void => {
    setDraft(undefined);
    if (draft === undefined || draft.trim() === "") return;
    const dollars = Number(draft.trim().replace(/^\$/, ""));
    if (!Number.isFinite(dollars) || dollars < 0) notifyProblem(t("价格必须是不小于 0 的数字"), label);
    else if (toText(dollars) !== toText(value)) onChange(dollars);
  };
  return (
    <span className="inline-flex items-center justify-end gap-1">
      {isChanged && (
        <span className="inline-flex items-center gap-1 text-muted-foreground">
          <s>{stored === undefined ? "—" : formatPrice(stored)}</s>
          <ArrowRight className="size-3" aria-label={t("改为")} />
        </span>
      )}
      <span aria-hidden className="text-muted-foreground">
        $
      </span>
      <Input
        aria-label={label}
        inputMode="decimal"
        autoComplete="off"
        className="h-7 w-20 border-transparent bg-transparent px-1.5 text-right text-[13px] tabular-nums hover:border-input max-sm:text-sm"
        value={draft ?? toText(value)}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === "Enter") event.currentTarget.blur();
          if (event.key === "Escape" && draft !== undefined) {
            event.stopPropagation();
            setDraft(undefined);
          }
        }}
      />
    </span>
  );
}
