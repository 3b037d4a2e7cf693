import { RotateCw } from "lucide-react";
import { useTranslation } from "react-i18next";
import { DayFilters } from "../../components/data-table/day-filters.tsx";
import { SearchInput } from "../../components/data-table/search-input.tsx";
import { Button } from "../../components/ui/button.tsx";

/** The search parameters of a task list; `channel` is for administrators. */
export type TaskSearch = {
  readonly id?: string | undefined;
  readonly channel?: number | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

export const NO_FILTERS: TaskSearch = { id: undefined, channel: undefined, from: undefined, to: undefined };

type TaskFiltersProps = {
  readonly search: TaskSearch;
  /** The default first day of the list. */
  readonly firstDay: string;
  readonly admin: boolean;
  readonly onChange: (change: TaskSearch) => void;
  readonly onRefresh: () => void;
};

/** Filters a list of tasks by id, channel and days. */
export function TaskFilters({ search, firstDay, admin, onChange, onRefresh }: TaskFiltersProps) {
  const { t } = useTranslation();
  return (
    <>
      <SearchInput
        main
        className="sm:w-56"
        label={t("任务 ID")}
        value={search.id ?? ""}
        onSearch={(id) => onChange({ id })}
      />
      {admin && (
        <SearchInput
          className="sm:w-36"
          label={t("渠道 ID")}
          value={search.channel === undefined ? "" : String(search.channel)}
          onSearch={(value) => onChange({ channel: /^\d{1,15}$/.test(value) ? Number(value) : undefined })}
        />
      )}
      <DayFilters search={{ from: search.from ?? firstDay, to: search.to }} onChange={onChange} />
      <Button variant="outline" size="icon" aria-label={t("刷新")} onClick={onRefresh}>
        <RotateCw />
      </Button>
    </>
  );
}
