import type { CatalogueDifference } from "@turnpike/contract/api/models/catalogue";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { BusyButton } from "../../../components/busy-button.tsx";
import { Pagination } from "../../../components/data-table/pagination.tsx";
import { SearchInput } from "../../../components/data-table/search-input.tsx";
import { Money } from "../../../components/money.tsx";
import { StatusBadge } from "../../../components/status-badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Checkbox } from "../../../components/ui/checkbox.tsx";
import { RuleChanges } from "../../../domain/models/rule-changes.tsx";
import { formatCount } from "../../../lib/text/format.ts";

const PAGE_SIZE = 20;

function Kind({ difference }: { readonly difference: CatalogueDifference }) {
  const { t } = useTranslation();
  const { before, after } = difference;
  if (!before) return <StatusBadge tone="good">{t("新增")}</StatusBadge>;
  if (!after) return <StatusBadge tone="neutral">{t("目录中没有")}</StatusBadge>;
  return (
    <StatusBadge tone={difference.needs_confirmation ? "warn" : "info"}>
      {difference.needs_confirmation ? t("变化很大") : t("有变化")}
    </StatusBadge>
  );
}

type RowProps = {
  readonly difference: CatalogueDifference;
  readonly isChosen: boolean;
  readonly onChoose: (isChosen: boolean) => void;
};

function Difference({ difference, isChosen, onChoose }: RowProps) {
  const { t } = useTranslation();
  const { model, before, after, calls, channel_ids: channels } = difference;
  return (
    <li className="flex gap-3 border-b py-2 text-[13px] last:border-b-0">
      <Checkbox
        className="mt-0.5"
        aria-label={after ? t("采用 {{model}} 的价格", { model }) : t("移除 {{model}} 的价格", { model })}
        checked={isChosen}
        onCheckedChange={(checked) => onChoose(checked === true)}
      />
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        <div className="flex flex-wrap items-center gap-2">
          <span className="font-mono text-xs font-medium break-all">{model}</span>
          <Kind difference={difference} />
          {difference.is_overridden && <StatusBadge tone="neutral">{t("您的价格优先")}</StatusBadge>}
        </div>
        <RuleChanges before={before} after={after} />
        {calls > 0 && (
          <span className="text-xs text-muted-foreground tabular-nums">
            {t("最近 30 天 {{calls}} 次调用，渠道 {{channels}}：", {
              calls: formatCount(calls),
              channels: channels.join(", "),
            })}{" "}
            <Money quota={difference.quota} /> → <Money quota={difference.new_quota} />
          </span>
        )}
      </div>
    </li>
  );
}

/** Changed prices come first, then new ones, then those that the catalogue lacks; among each the most called model. */
const rank = ({ before, after }: CatalogueDifference): number => (after === null ? 2 : before === null ? 1 : 0);
const inOrder = (differences: readonly CatalogueDifference[]): readonly CatalogueDifference[] =>
  differences.toSorted((a, b) => rank(a) - rank(b) || b.calls - a.calls);

type CatalogueDifferencesProps = {
  readonly differences: readonly CatalogueDifference[];
  readonly onAdopt: (chosen: readonly CatalogueDifference[]) => Promise<void>;
  readonly onRehearse: (chosen: readonly CatalogueDifference[]) => void;
};

/** The models whose price would be removed, which has to be chosen one by one. */
const listRemoved = (differences: readonly CatalogueDifference[]): readonly string[] =>
  differences.filter(({ after }) => after === null).map(({ model }) => model);

/** What differs, a page at a time, and the choice of what to adopt: everything that the catalogue has at first. */
export function CatalogueDifferences({ differences, onAdopt, onRehearse }: CatalogueDifferencesProps) {
  const { t } = useTranslation();
  const [left, setLeft] = useState<ReadonlySet<string>>(() => new Set(listRemoved(differences)));
  const [keyword, setKeyword] = useState("");
  const [page, setPage] = useState(1);
  const [isBusy, setBusy] = useState(false);
  const found = inOrder(differences).filter(({ model }) => model.toLowerCase().includes(keyword.toLowerCase()));
  const chosen = differences.filter(({ model }) => !left.has(model));
  const leave = (models: readonly string[], isLeft: boolean): void => {
    const next = new Set(left);
    for (const model of models)
      if (isLeft) next.add(model);
      else next.delete(model);
    setLeft(next);
  };
  const names = found.map(({ model }) => model);
  const adoptable = found.filter(({ after }) => after !== null).map(({ model }) => model);
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <SearchInput
          label={t("搜索模型")}
          value={keyword}
          onSearch={(next) => {
            setKeyword(next);
            setPage(1);
          }}
        />
        <Button variant="outline" size="sm" onClick={() => leave(adoptable, false)}>
          {t("全选")}
        </Button>
        <Button variant="outline" size="sm" onClick={() => leave(names, true)}>
          {t("全不选")}
        </Button>
        <Button variant="outline" className="ml-auto" disabled={chosen.length === 0} onClick={() => onRehearse(chosen)}>
          {t("试算所选")}
        </Button>
        <BusyButton
          busy={isBusy}
          disabled={chosen.length === 0}
          onClick={() => {
            setBusy(true);
            void onAdopt(chosen).finally(() => setBusy(false));
          }}
        >
          {t("采用所选（{{count}}）", { count: chosen.length })}
        </BusyButton>
      </div>
      <ul aria-label={t("价格的差异")}>
        {found.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map((difference) => (
          <Difference
            key={difference.model}
            difference={difference}
            isChosen={!left.has(difference.model)}
            onChoose={(isChosen) => leave([difference.model], !isChosen)}
          />
        ))}
      </ul>
      {found.length > PAGE_SIZE && (
        <Pagination page={page} pageSize={PAGE_SIZE} total={found.length} onPage={setPage} />
      )}
    </div>
  );
}
