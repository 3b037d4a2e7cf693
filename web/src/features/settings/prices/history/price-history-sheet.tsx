import type { PriceHistoryEntry } from "@turnpike/contract/api/prices/price-history";
import { useQuery } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Pagination } from "../../../../components/data-table/pagination.tsx";
import { SearchInput } from "../../../../components/data-table/search-input.tsx";
import { ErrorState } from "../../../../components/states.tsx";
import { Time } from "../../../../components/time.tsx";
import { OptionSelect } from "../../../../components/option-select.tsx";
import { Sheet, SheetContent, SheetDescription, SheetTitle } from "../../../../components/ui/sheet.tsx";
import { Skeleton } from "../../../../components/ui/skeleton.tsx";
import { RuleChanges } from "../../../../domain/models/rule-changes.tsx";
import { readRule } from "../../../../domain/models/rule-fields.ts";
import { HISTORY_FIELDS } from "./history-fields.ts";
import { priceHistoryQuery } from "./price-history-api.ts";

const PAGE_SIZE = 20;

/** The options whose entries are price rules. */
const RULE_KEYS: ReadonlySet<string> = new Set(["PriceRules", "CatalogueRules"]);

function Figures({ change }: { readonly change: PriceHistoryEntry }) {
  const { t } = useTranslation();
  const figure = (value: string | null, isBuiltIn: boolean) => {
    if (value === null) return t("无");
    return isBuiltIn ? t("{{price}}（内置）", { price: value }) : value;
  };
  return (
    <>
      <span className="text-muted-foreground break-all line-through">
        {figure(change.before, change.before_built_in)}
      </span>
      <ArrowRight className="size-3 text-muted-foreground" aria-label="→" />
      <span className="font-medium break-all">{figure(change.after, change.after_built_in)}</span>
    </>
  );
}

/** A change of a model's whole price: what of it changed. */
function RuleFigures({ change }: { readonly change: PriceHistoryEntry }) {
  const { t } = useTranslation();
  const [before, after] = [change.before, change.after].map(readRule);
  return (
    <div className="flex w-full flex-col gap-0.5">
      {change.before_built_in && <span className="text-xs text-muted-foreground">{t("之前是内置价格")}</span>}
      {change.after_built_in && <span className="text-xs text-muted-foreground">{t("恢复内置价格")}</span>}
      <RuleChanges before={before ?? null} after={after ?? null} />
    </div>
  );
}

function Change({ change }: { readonly change: PriceHistoryEntry }) {
  const { t } = useTranslation();
  const field = HISTORY_FIELDS.find(({ key }) => key === change.key);
  const isRule = RULE_KEYS.has(change.key) && change.name !== "";
  return (
    <li className="flex flex-col gap-1 border-b py-2.5 text-[13px] last:border-b-0">
      <div className="flex flex-wrap items-baseline gap-x-2">
        {change.name !== "" && <span className="font-mono text-xs font-medium break-all">{change.name}</span>}
        <span className="text-muted-foreground">{field ? t(field.label) : change.key}</span>
      </div>
      <div className="flex flex-wrap items-center gap-x-2 tabular-nums">
        {isRule ? <RuleFigures change={change} /> : <Figures change={change} />}
        <span className="ml-auto text-xs text-muted-foreground">
          {change.actor_name} · <Time seconds={change.created_at} exact />
        </span>
      </div>
    </li>
  );
}

/** The price history: who changed which price, when, from what to what. */
export function PriceHistorySheet({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const [name, setName] = useState("");
  const [key, setKey] = useState("");
  const [page, setPage] = useState(1);
  const query = useQuery(priceHistoryQuery({ name, key, page, pageSize: PAGE_SIZE }));
  const { data } = query;
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()}>
      <SheetContent className="gap-3 overflow-y-auto p-5">
        <SheetTitle>{t("价格的修改历史")}</SheetTitle>
        <SheetDescription>{t("每个模型和分组的价格是谁在什么时候改的，从多少改到多少。")}</SheetDescription>
        <div className="flex flex-wrap gap-2">
          <SearchInput
            label={t("模型或分组名称")}
            value={name}
            onSearch={(next) => {
              setName(next);
              setPage(1);
            }}
          />
          <OptionSelect
            className="h-9 w-full sm:w-52"
            aria-label={t("价格的种类")}
            value={key}
            options={[
              { value: "", label: t("全部种类") },
              ...HISTORY_FIELDS.map((field) => ({ value: field.key, label: t(field.label) })),
            ]}
            onValueChange={(next) => {
              setKey(next);
              setPage(1);
            }}
          />
        </div>
        {query.isPending && <Skeleton className="h-64 w-full" />}
        {query.isError && !data && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
        {data?.items.length === 0 && (
          <p className="py-8 text-center text-muted-foreground">{t("没有找到价格的修改。")}</p>
        )}
        {data && data.items.length > 0 && (
          <ul aria-label={t("价格的修改历史")}>
            {data.items.map((change) => (
              <Change key={change.id} change={change} />
            ))}
          </ul>
        )}
        {data && data.total > PAGE_SIZE && (
          <Pagination page={page} pageSize={PAGE_SIZE} total={data.total} onPage={setPage} />
        )}
      </SheetContent>
    </Sheet>
  );
}
