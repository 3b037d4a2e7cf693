import type { PriceBook } from "@turnpike/contract/api/prices/price-revisions";
import { useTranslation } from "react-i18next";
import { findFallbackProblem } from "../section/check-setting.ts";
import { SectionCard } from "../section/section-card.tsx";
import { LineSetting, SwitchSetting } from "../section/setting-fields.tsx";
import type { ValueOf } from "../section/setting-panel.ts";
import { validateFallback } from "../settings-api.ts";
import { PriceBookGate } from "./price-book-gate.tsx";
import { PriceConflictNotice } from "./price-conflict.tsx";
import { COMPLETION, ENABLED, FALLBACK_FIELDS, INPUT, SINGLE } from "./price-fields.ts";
import { usePriceSection } from "./use-price-section.ts";

/** Has the server validate the values before they are stored: they are only valid together. */
const validate = async (getValue: ValueOf): Promise<[]> => {
  await validateFallback({
    enabled: getValue(ENABLED.key) === "true",
    single_price: Number(getValue(SINGLE.key)),
    input_ratio: Number(getValue(INPUT.key)),
    completion_ratio: Number(getValue(COMPLETION.key)),
  });
  return [];
};

function OpenFallbackSettings({ book }: { readonly book: PriceBook }) {
  const { t } = useTranslation();
  const section = usePriceSection({ book, rules: FALLBACK_FIELDS, before: validate });
  const single = section.valueOf(SINGLE.key);
  const input = section.valueOf(INPUT.key);
  const completion = section.valueOf(COMPLETION.key);
  const problem = findFallbackProblem({ single, input, completion });
  const hasSingle = Number(single) > 0;
  const hasRatio = Number(input) > 0 || Number(completion) > 0;
  return (
    <SectionCard
      id="fallback"
      title={t("兜底价格")}
      description={t("没有设置价格的模型按这里计费；关闭时，这些模型的调用会被拒绝。")}
      section={section}
      isWrong={problem !== undefined}
    >
      <SwitchSetting section={section} field={ENABLED} />
      <div className="grid gap-4 sm:grid-cols-3">
        <LineSetting section={section} field={SINGLE} disabled={hasRatio && !hasSingle} />
        <LineSetting section={section} field={INPUT} disabled={hasSingle && !hasRatio} />
        <LineSetting section={section} field={COMPLETION} disabled={hasSingle && !hasRatio} />
      </div>
      {problem && (
        <p role="alert" className="text-[13px] text-destructive">
          {t(problem.message)}
        </p>
      )}
      <PriceConflictNotice section={section} />
    </SectionCard>
  );
}

/** The price of models without their own price. */
export function FallbackSettings() {
  return <PriceBookGate>{(book) => <OpenFallbackSettings book={book} />}</PriceBookGate>;
}
