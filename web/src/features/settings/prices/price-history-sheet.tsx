import type { PriceChange } from "@turnpike/contract/api/price-history";
import { useQuery } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Pagination } from "../../../components/data-table/pagination.tsx";
import { SearchInput } from "../../../components/data-table/search-input.tsx";
import { ErrorState } from "../../../components/states.tsx";
import { Time } from "../../../components/time.tsx";
import { OptionSelect } from "../../../components/option-select.tsx";
import { Sheet, SheetContent, SheetDescription, SheetTitle } from "../../../components/ui/sheet.tsx";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import { GROUP_FIELDS } from "../lists/list-fields.ts";
import { FALLBACK_FIELDS, PRICE_FIELDS } from "./price-fields.ts";
import { priceHistoryQuery } from "./price-history-api.ts";

const PAGE_SIZE = 20;
/** Options whose changes are kept; the descriptions of groups are no prices. */
const FIELDS = [...PRICE_FIELDS, ...GROUP_FIELDS, ...FALLBACK_FIELDS].filter(({ key }) => key !== "UserUsableGroups");

function Change({ change }: { readonly change: PriceChange }) {
  const { t } = useTranslation();
  const field = FIELDS.find(({ key }) => key === change.key);
  const figure = (value: string | null) => (value === null ? t("无") : value);
  return (
    <li className="flex flex-col gap-1 border-b py-2.5 text-[13px] last:border-b-0">
      <div className="flex flex-wrap items-baseline gap-x-2">
        {change.name !== "" && <span className="font-mono text-xs font-medium break-all">{change.name}</span>}
        <span className="text-muted-foreground">{field ? t(field.label) : change.key}</span>
      </div>
      <div className="flex flex-wrap items-center gap-x-2 tabular-nums">
        <span className="text-muted-foreground line-through">{figure(change.before)}</span>
        <ArrowRight className="size-3 text-muted-foreground" aria-label="→" />
        <span className="font-medium">{figure(change.after)}</span>
        <span className="ml-auto text-xs text-muted-foreground">
          {change.actor_name} · <Time seconds={change.created_at} exact />
        </span>
      </div>
    </li>
  );
}

/** Who changed which price, when, from what to what. */
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
              ...FIELDS.map((field) => ({ value: field.key, label: t(field.label) })),
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
