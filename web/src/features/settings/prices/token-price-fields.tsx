import { DOLLARS_PER_MILLION } from "@turnpike/contract/pricing/dollars";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { FieldFrame } from "../../../components/form/field-frame.tsx";
import { NumberInput } from "../../../components/form/number-input.tsx";
import { OptionSelect } from "../../../components/option-select.tsx";
import { formatDollars, formatRatio } from "../../../lib/text/format.ts";
import { getCompletionRatio } from "./price-rows.ts";

type Prices = { readonly inputDollars: number; readonly outputDollars: number };

type TokenPriceFieldsProps = Prices & {
  readonly onChange: (prices: Prices) => void;
  /** The error of the input price, translated. */
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

/** The prices, and the equal ratios. */
function useRatios({ inputDollars, outputDollars, onChange }: TokenPriceFieldsProps) {
  // The multiple is kept as entered: it cannot be calculated from prices of 0.
  const [completion, setCompletion] = useState(() => getCompletionRatio({ inputDollars, outputDollars }));
  return {
    ratio: inputDollars / DOLLARS_PER_MILLION,
    completion,
    setPrices: (prices: Prices): void => {
      setCompletion(getCompletionRatio(prices));
      onChange(prices);
    },
    setRatios: (ratio: number, multiple: number): void => {
      setCompletion(multiple);
      const input = ratio * DOLLARS_PER_MILLION;
      onChange({ inputDollars: input, outputDollars: input * multiple });
    },
  };
}

/** The price of tokens, entered in dollars or as ratios; the other form is shown below. */
export function TokenPriceFields(props: TokenPriceFieldsProps) {
  const { inputDollars, outputDollars, inputError, outputError } = props;
  const { t } = useTranslation();
  const [isRatio, setRatio] = useState(false);
  const { ratio, completion, setPrices, setRatios } = useRatios(props);
  const setInput = (next: number): void => setPrices({ inputDollars: next, outputDollars });
  const setOutput = (next: number): void => setPrices({ inputDollars, outputDollars: next });
  const [input, output]: readonly Omit<AmountProps, "error">[] = isRatio
    ? [
        { label: t("模型倍率"), value: ratio, onValue: (next) => setRatios(next, completion) },
        { label: t("补全倍率"), value: completion, onValue: (next) => setRatios(ratio, next) },
      ]
    : [
        { label: t("输入价格（美元 / 每百万 Token）"), value: inputDollars, onValue: setInput },
        { label: t("输出价格（美元 / 每百万 Token）"), value: outputDollars, onValue: setOutput },
      ];
  const preview = isRatio
    ? t("输入 {{input}}，输出 {{output}}（每百万 Token）", {
        input: formatDollars(inputDollars),
        output: formatDollars(outputDollars),
      })
    : t("模型倍率 {{ratio}}，补全倍率 {{completion}}", {
        ratio: formatRatio(ratio),
        completion: formatRatio(completion),
      });
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
      {input && <Amount key={input.label} {...input} error={inputError} />}
      {output && <Amount key={output.label} {...output} error={outputError} />}
      {inputDollars > 0 && <p className="text-[13px] text-muted-foreground tabular-nums">{preview}</p>}
    </>
  );
}
