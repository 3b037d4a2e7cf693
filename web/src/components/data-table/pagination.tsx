import { PAGE_SIZES } from "@turnpike/contract/limits";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { formatCount } from "../../lib/text/format.ts";
import { Button } from "../ui/button.tsx";
import { OptionSelect } from "../option-select.tsx";

type PaginationProps = {
  readonly page: number;
  readonly pageSize: number;
  readonly total: number;
  readonly onPage: (page: number) => void;
  /** Absent for a fixed size. */
  readonly onPageSize?: (size: number) => void;
};

type PageSizeSelectProps = { readonly pageSize: number; readonly onPageSize: (size: number) => void };

function PageSizeSelect({ pageSize, onPageSize }: PageSizeSelectProps) {
  const { t } = useTranslation();
  return (
    <OptionSelect
      className="h-8 text-[13px]"
      aria-label={t("每页条数")}
      value={String(pageSize)}
      options={PAGE_SIZES.map((size) => ({ value: String(size), label: t("{{size}} 条/页", { size }) }))}
      onValueChange={(value) => onPageSize(Number(value))}
    />
  );
}

/** The position in a list, with links to other pages. Pages count from 1 here, whatever the API counts from. */
export function Pagination({ page, pageSize, total, onPage, onPageSize }: PaginationProps) {
  const { t } = useTranslation();
  const pages = Math.max(1, Math.ceil(total / pageSize));
  return (
    <nav aria-label={t("分页")} className="flex flex-wrap items-center justify-between gap-2 text-[13px]">
      <p className="text-muted-foreground tabular-nums">
        {t("共 {{total}} 条", { total: formatCount(total), count: total })}
      </p>
      <div className="flex items-center gap-2">
        {onPageSize && <PageSizeSelect pageSize={pageSize} onPageSize={onPageSize} />}
        <span className="text-muted-foreground tabular-nums">
          {t("第 {{page}} / {{pages}} 页", { page: formatCount(page), pages: formatCount(pages) })}
        </span>
        <Button
          variant="outline"
          size="icon"
          className="size-8"
          aria-label={t("上一页")}
          disabled={page <= 1}
          onClick={() => onPage(page - 1)}
        >
          <ChevronLeft />
        </Button>
        <Button
          variant="outline"
          size="icon"
          className="size-8"
          aria-label={t("下一页")}
          disabled={page >= pages}
          onClick={() => onPage(page + 1)}
        >
          <ChevronRight />
        </Button>
      </div>
    </nav>
  );
}
