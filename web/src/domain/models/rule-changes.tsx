import { ArrowRight } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/ui/button.tsx";
import { formatCount, formatDollars, formatRatio } from "../../lib/text/format.ts";
import { PriceDetails, TIER_LABELS } from "./price-details.tsx";
import { FIELD_LABELS, listRuleChanges, type RuleChange, type RuleFields, toRuleDetails } from "./rule-fields.ts";

/** More changes than these are folded. */
const SHOWN_MAX = 4;

function useChangeText() {
  const { t } = useTranslation();
  const amount = (value: number | undefined, unit: RuleChange["unit"]): string => {
    if (value === undefined) return t("无");
    return unit === "factor" ? `× ${formatRatio(value)}` : formatDollars(value);
  };
  const place = ({ tier, above, field, variant }: RuleChange): string =>
    [
      tier === "" ? "" : t(TIER_LABELS[tier] ?? tier),
      above === 0 ? "" : t("超过 {{tokens}}", { tokens: formatCount(above) }),
      [t(FIELD_LABELS[field] ?? field), variant === "*" ? "" : variant].join(" ").trim(),
    ]
      .filter((part) => part !== "")
      .join(" · ");
  return { amount, place };
}

function Lines({ changes, isNew }: { readonly changes: readonly RuleChange[]; readonly isNew: boolean }) {
  const { amount, place } = useChangeText();
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-0.5 tabular-nums">
      {changes.map((change) => (
        <li key={`${change.tier} ${change.above} ${change.field} ${change.variant}`} className="min-w-0">
          <span className="text-muted-foreground">{place(change)}</span>{" "}
          {!isNew && (
            <>
              <span className="text-muted-foreground line-through">{amount(change.before, change.unit)}</span>{" "}
              <ArrowRight className="inline size-3 text-muted-foreground" aria-label="→" />{" "}
            </>
          )}
          <span className="font-medium">{amount(change.after, change.unit)}</span>
        </li>
      ))}
    </ul>
  );
}

type RuleChangesProps = {
  /** The rules before and after; null for none. */
  readonly before: RuleFields | null;
  readonly after: RuleFields | null;
};

/** What changes from one price rule to another, amount by amount; the whole price can be opened. */
export function RuleChanges({ before, after }: RuleChangesProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const changes = listRuleChanges(before ?? {}, after ?? {});
  const whole = after ?? before;
  return (
    <div className="flex min-w-0 flex-col items-start gap-1">
      {after === null ? (
        <span className="text-muted-foreground">{t("无")}</span>
      ) : (
        <Lines changes={isOpen ? changes : changes.slice(0, SHOWN_MAX)} isNew={before === null} />
      )}
      {whole && (
        <Button
          variant="link"
          size="sm"
          className="h-auto p-0 text-xs"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen
            ? t("收起")
            : changes.length > SHOWN_MAX
              ? t("还有 {{count}} 项变化，查看整个价格", { count: changes.length - SHOWN_MAX })
              : t("查看整个价格")}
        </Button>
      )}
      {isOpen && whole && (
        <div className="max-w-full overflow-x-auto rounded-lg border p-3">
          <PriceDetails details={toRuleDetails(whole)} factor={1} />
        </div>
      )}
    </div>
  );
}
