import { DOLLARS_PER_MILLION } from "@turnpike/contract/pricing/price-unit";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { FieldFrame } from "../../../components/form/field-frame.tsx";
import { NumberInput } from "../../../components/form/number-input.tsx";
import { OptionSelect } from "../../../components/option-select.tsx";
import { formatDollars, formatRatio } from "../../../lib/format.ts";
import { getCompletionRatio } from "./price-rows.ts";

type Prices = { readonly inputDollars: number; readonly outputDollars: number };

type TokenPriceFieldsProps = Prices & {
  readonly onChange: (prices: Prices) => void;
  /** What is wrong with the input price, translated. */
  readonly inputError: string | undefined;
  readonly outputError: string | undefined;
};

type AmountProps = {
  readonly label: string;
  readonly value: number;
  readonly onValue: (value: number) => void;
  readonly error: string | undefined;
};

function Amount({ label, value, onValue, error }: AmountProps) {
  return (
    <FieldFrame label={label} error={error}>
      {(control) => <NumberInput {...control} min={0} value={value} onValueChange={onValue} />}
    </FieldFrame>
  );
}

/** The price of tokens, entered in dollars or as ratios; what the other form would be stands beneath. */
export function TokenPriceFields({
  inputDollars,
  outputDollars,
  onChange,
  inputError,
  outputError,
}: TokenPriceFieldsProps) {
  const { t } = useTranslation();
  const [isRatio, setRatio] = useState(false);
  // The multiple is kept as it was typed: it cannot be read back from prices of 0.
  const [completion, setCompletion] = useState(() => getCompletionRatio({ inputDollars, outputDollars }));
  const setPrices = (prices: Prices): void => {
    setCompletion(getCompletionRatio(prices));
    onChange(prices);
  };
  const setRatios = (ratio: number, multiple: number): void => {
    setCompletion(multiple);
    const input = ratio * DOLLARS_PER_MILLION;
    onChange({ inputDollars: input, outputDollars: input * multiple });
  };
  const ratio = inputDollars / DOLLARS_PER_MILLION;
  return (
    <>
      <FieldFrame label={t("填写方式")}>
        {(control) => (
          <OptionSelect
            {...control}
            className="h-9"
            value={isRatio ? "ratio" : "price"}
            options={[
              { value: "price", label: t("价格（美元 / 每百万 Token）") },
              { value: "ratio", label: t("倍率") },
            ]}
            onValueChange={(value) => setRatio(value === "ratio")}
          />
        )}
      </FieldFrame>
      {isRatio ? (
        <>
          <Amount
            label={t("模型倍率")}
            value={ratio}
            error={inputError}
            onValue={(next) => setRatios(next, completion)}
          />
          <Amount
            label={t("补全倍率")}
            value={completion}
            error={outputError}
            onValue={(next) => setRatios(ratio, next)}
          />
        </>
      ) : (
        <>
          <Amount
            label={t("输入价格（美元 / 每百万 Token）")}
            value={inputDollars}
            error={inputError}
            onValue={(next) => setPrices({ inputDollars: next, outputDollars })}
          />
          <Amount
            label={t("输出价格（美元 / 每百万 Token）")}
            value={outputDollars}
            error={outputError}
            onValue={(next) => setPrices({ inputDollars, outputDollars: next })}
          />
        </>
      )}
      {inputDollars > 0 && (
        <p className="text-[13px] text-muted-foreground tabular-nums">
          {isRatio
            ? t("输入 {{input}}，输出 {{output}}（每百万 Token）", {
                input: formatDollars(inputDollars),
                output: formatDollars(outputDollars),
              })
            : t("模型倍率 {{ratio}}，补全倍率 {{completion}}", {
                ratio: formatRatio(ratio),
                completion: formatRatio(completion),
              })}
        </p>
      )}
    </>
  );
}
