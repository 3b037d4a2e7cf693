import { type Ref, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatCount, formatDollars } from "../../lib/text/format.ts";
import { useMoneyDisplay } from "../../lib/status.ts";
import { Button } from "../ui/button.tsx";
import { Input } from "../ui/input.tsx";
import type { ControlProps } from "./field-frame.tsx";

type MoneyInputProps = {
  readonly control: ControlProps;
  /** Quota units; NaN for an empty field. */
  readonly quota: number;
  readonly onQuotaChange: (quota: number) => void;
  /** Amounts in dollars offered as buttons. */
  readonly presets: readonly number[];
  readonly disabled?: boolean;
  readonly ref?: Ref<HTMLInputElement>;
  readonly onBlur?: () => void;
};

/** An amount, entered in the site's display unit and stored in quota units. */
export function MoneyInput({ control, quota, onQuotaChange, presets, disabled = false, ref, onBlur }: MoneyInputProps) {
  const { t } = useTranslation();
  const { quotaPerUnit, inCurrency } = useMoneyDisplay();
  const [draft, setDraft] = useState<string>();
  const factor = inCurrency ? quotaPerUnit : 1;
  const shown = draft ?? (Number.isNaN(quota) ? "" : String(Number((quota / factor).toFixed(6))));
  return (
    <div className="flex flex-col gap-2">
      <div className="relative">
        {inCurrency && <span className="absolute top-2 left-3 text-muted-foreground">$</span>}
        <Input
          {...control}
          type="number"
          inputMode="decimal"
          step="any"
          disabled={disabled}
          className={inCurrency ? "pl-7" : ""}
          value={shown}
          onChange={(event) => {
            setDraft(event.target.value);
            onQuotaChange(Math.round(event.target.valueAsNumber * factor));
          }}
          ref={ref}
          onBlur={() => {
            setDraft(undefined);
            onBlur?.();
          }}
        />
      </div>
      <div className="flex flex-wrap items-center gap-1.5">
        {presets.map((dollars) => (
          <Button
            variant="outline"
            key={dollars}
            size="sm"
            className="h-7 px-2"
            disabled={disabled}
            onClick={() => {
              setDraft(undefined);
              onQuotaChange(dollars * quotaPerUnit);
            }}
          >
            {formatDollars(dollars)}
          </Button>
        ))}
        {inCurrency && !Number.isNaN(quota) && (
          <span className="text-[13px] text-muted-foreground tabular-nums">
            {t("等于 {{quota}} 额度", { quota: formatCount(quota) })}
          </span>
        )}
      </div>
    </div>
  );
}
