import type { CatalogueComparison, CatalogueDifference } from "@turnpike/contract/api/models/catalogue";
import type { FoundPrice } from "@turnpike/contract/api/prices/model-prices";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { BusyButton } from "../../../components/busy-button.tsx";
import { Notice } from "../../../components/notice.tsx";
import { StatusBadge } from "../../../components/status-badge.tsx";
import { Checkbox } from "../../../components/ui/checkbox.tsx";
import { adoptPrices, compareDailyCatalogue, modelPricesQuery } from "../../../domain/models/catalogue-api.ts";
import { RuleChanges } from "../../../domain/models/rule-changes.tsx";
import { describeError } from "../../../lib/api/api-error.ts";
import { formatDollars } from "../../../lib/text/format.ts";

/** Proposed prices that are stored with the channel. */
export type PriceProposals = {
  /** The models that the upstream listed and that the channel did not have. */
  readonly models: readonly string[];
  readonly setModels: (models: readonly string[]) => void;
  readonly comparison: CatalogueComparison | undefined;
  readonly setComparison: (comparison: CatalogueComparison) => void;
  readonly isTaken: (model: string) => boolean;
  readonly take: (model: string, isTaken: boolean) => void;
  /** Stores the taken prices of these models in one change of prices. Throws what the server refuses. */
  readonly store: (models: readonly string[]) => Promise<void>;
};

/** The proposals of one editor: what upstream lists, what the catalogue has for it, and what of it is taken. */
export function usePriceProposals(): PriceProposals {
  const [models, setModels] = useState<readonly string[]>([]);
  const [comparison, setComparison] = useState<CatalogueComparison>();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const isTaken = (model: string): boolean => !left.has(model);
  const store = async (saved: readonly string[]): Promise<void> => {
    const taken = (comparison?.differences ?? []).filter((one) => isProposal(one, saved) && isTaken(one.model));
    if (!comparison || taken.length === 0) return;
    try {
      await adoptPrices(comparison, taken, false);
    } finally {
      // A second attempt to save the channel must neither send them again nor send those of an old revision.
      setComparison(undefined);
    }
  };
  const take = (model: string, on: boolean): void => {
    const next = new Set(left);
    if (on) next.delete(model);
    else next.add(model);
    setLeft(next);
  };
  return { models, setModels, comparison, setComparison, isTaken, take, store };
}

/** A price for a model that has none. */
const isProposal = ({ model, before, after }: CatalogueDifference, models: readonly string[]): boolean =>
  before === null && after !== null && models.includes(model);

/** A price in a few words: dollars in and out per million tokens, or by the call, and whose price it is. */
export function usePriceNote(models: readonly string[]) {
  const { t } = useTranslation();
  const { data } = useQuery(modelPricesQuery(models));
  const byName = new Map((data ?? []).map((price) => [price.model, price]));
  const amount = ({ details, per_call: call }: FoundPrice): string => {
    if (call !== undefined) return t("每次 {{price}}", { price: formatDollars(call) });
    const rates = details?.prices[0]?.rates;
    return `${formatDollars(rates?.["input"] ?? 0)} / ${formatDollars(rates?.["output"] ?? 0)}`;
  };
  const note = (model: string): string | undefined => {
    const price = byName.get(model);
    if (!price) return undefined;
    if (price.origin === "none") return t("没有价格");
    if (price.origin === "operator") return t("{{price}}（您的）", { price: amount(price) });
    if (price.origin === "fallback") return t("{{price}}（兜底）", { price: amount(price) });
    return t("{{price}}（内置）", { price: amount(price) });
  };
  return { note, isUnpriced: (model: string): boolean => byName.get(model)?.origin === "none" };
}

type ProposalProps = {
  readonly difference: CatalogueDifference;
  readonly proposals: PriceProposals;
};

function Proposal({ difference: { model, after }, proposals }: ProposalProps) {
  const { t } = useTranslation();
  return (
    <li className="flex gap-3 text-[13px]">
      <Checkbox
        className="mt-0.5"
        aria-label={t("采用 {{model}} 的价格", { model })}
        checked={proposals.isTaken(model)}
        onCheckedChange={(checked) => proposals.take(model, checked === true)}
      />
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        <span className="font-mono text-xs font-medium break-all">{model}</span>
        <RuleChanges before={null} after={after} />
      </div>
    </li>
  );
}

type NewModelPricesProps = {
  /** The models in the form. */
  readonly chosen: readonly string[];
  readonly proposals: PriceProposals;
};

/** The prices of the models that upstream lists and that are new to the channel; those without one may get a proposed one. */
export function NewModelPrices({ chosen, proposals }: NewModelPricesProps) {
  const { t } = useTranslation();
  const { note, isUnpriced } = usePriceNote(proposals.models);
  const search = useMutation({ mutationFn: compareDailyCatalogue, onSuccess: proposals.setComparison });
  const fresh = proposals.models.filter((model) => chosen.includes(model));
  if (fresh.length === 0) return null;
  const unpriced = fresh.filter(isUnpriced);
  const found = (proposals.comparison?.differences ?? []).filter((one) => isProposal(one, unpriced));
  const missing = unpriced.filter((model) => !found.some((one) => one.model === model));
  return (
    <section aria-label={t("新模型的价格")} className="flex flex-col gap-2 rounded-lg border p-3 text-[13px]">
      <h3 className="font-semibold">{t("新模型的价格")}</h3>
      <ul className="flex max-h-48 flex-col gap-1 overflow-y-auto">
        {fresh.map((model) => (
          <li key={model} className="flex flex-wrap items-baseline justify-between gap-x-3">
            <span className="font-mono text-xs break-all">{model}</span>
            {isUnpriced(model) ? (
              <StatusBadge tone="warn">{t("没有价格")}</StatusBadge>
            ) : (
              <span className="text-muted-foreground tabular-nums">{note(model)}</span>
            )}
          </li>
        ))}
      </ul>
      {unpriced.length > 0 && !proposals.comparison && (
        <BusyButton
          variant="outline"
          size="sm"
          className="self-start"
          busy={search.isPending}
          onClick={() => search.mutate()}
        >
          {t("在价格目录中查找")}
        </BusyButton>
      )}
      {search.isError && <Notice tone="bad">{describeError(search.error, t)}</Notice>}
      {found.length > 0 && (
        <>
          <p className="text-muted-foreground">{t("目录建议的价格，勾选的会与渠道一起保存：")}</p>
          <ul className="flex flex-col gap-2" aria-label={t("建议的价格")}>
            {found.map((difference) => (
              <Proposal key={difference.model} difference={difference} proposals={proposals} />
            ))}
          </ul>
        </>
      )}
      {proposals.comparison && missing.length > 0 && (
        <p className="text-muted-foreground">
          {t("目录中没有这些模型的价格，请在“模型价格”中设置：{{models}}", { models: missing.join(", ") })}
        </p>
      )}
    </section>
  );
}
