import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { SearchInput } from "../../components/data-table/search-input.tsx";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "../../components/ui/select.tsx";
import { groupNamesQuery } from "./channels-api.ts";

type Filters = {
  readonly keyword?: string | undefined;
  readonly model?: string | undefined;
  readonly group?: string | undefined;
};
type ChannelFiltersProps = Filters & { readonly onChange: (change: Filters) => void };

const ANY_GROUP = "\u0000any";

/** Narrows the channel list: by id, name or key, by model, by group. */
export function ChannelFilters({ keyword, model, group, onChange }: ChannelFiltersProps) {
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
      <Select
        value={group ?? ANY_GROUP}
        onValueChange={(value) => onChange({ group: value === ANY_GROUP ? undefined : value })}
      >
        <SelectTrigger className="w-full sm:w-40" aria-label={t("分组")}>
          <SelectValue />
        </SelectTrigger>
        <SelectContent>
          <SelectItem value={ANY_GROUP}>{t("全部分组")}</SelectItem>
          {(groups.data ?? []).map((name) => (
            <SelectItem key={name} value={name}>
              {name}
            </SelectItem>
          ))}
        </SelectContent>
      </Select>
    </>
  );
}
