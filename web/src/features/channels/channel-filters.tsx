import { useQuery } from "@tanstack/react-query";
import { Tags } from "lucide-react";
import { useTranslation } from "react-i18next";
import { SearchInput } from "../../components/data-table/search-input.tsx";
import { Button } from "../../components/ui/button.tsx";
import { OptionSelect } from "../../components/option-select.tsx";
import { groupNamesQuery } from "../../domain/groups/groups-api.ts";

type Filters = {
  readonly keyword?: string | undefined;
  readonly model?: string | undefined;
  readonly group?: string | undefined;
};
type ChannelFiltersProps = Filters & {
  readonly byTag: boolean;
  readonly onByTag: (on: boolean) => void;
  readonly onChange: (change: Filters) => void;
};

/** Filters the channel list by id, name or key, by model and by group; and groups it by tag. */
export function ChannelFilters({ keyword, model, group, byTag, onByTag, onChange }: ChannelFiltersProps) {
  const { t } = useTranslation();
  const groups = useQuery(groupNamesQuery);
  return (
    <>
      <SearchInput
        main
        label={t("ID、名称或密钥")}
        value={keyword ?? ""}
        onSearch={(value) => onChange({ keyword: value })}
      />
      <SearchInput label={t("模型")} value={model ?? ""} onSearch={(value) => onChange({ model: value })} />
      <OptionSelect
        className="h-9 w-full sm:w-40"
        aria-label={t("分组")}
        value={group ?? ""}
        options={[
          { value: "", label: t("全部分组") },
          ...(groups.data ?? []).map((name) => ({ value: name, label: name })),
        ]}
        onValueChange={(value) => onChange({ group: value === "" ? undefined : value })}
      />
      <Button
        variant="outline"
        aria-pressed={byTag}
        className="aria-pressed:border-primary aria-pressed:bg-selected"
        onClick={() => onByTag(!byTag)}
      >
        <Tags />
        {t("按标签聚合")}
      </Button>
    </>
  );
}
