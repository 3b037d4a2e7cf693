import { useTranslation } from "react-i18next";
import { SearchInput } from "../../components/data-table/search-input.tsx";
import { OptionSelect } from "../../components/option-select.tsx";
import { RatioBadge } from "../../domain/groups/group-badge.tsx";
import { groupLabel } from "../../domain/groups/group-label.ts";
import { OTHER_VENDORS, type PriceGroup, type PricingSearch, type VendorCount } from "./use-prices.ts";

type GroupSwitchProps = {
  readonly groups: readonly PriceGroup[];
  readonly value: string;
  readonly onChange: (group: string) => void;
};

function GroupSwitch({ groups, value, onChange }: GroupSwitchProps) {
  const { t } = useTranslation();
  return (
    <OptionSelect
      className="h-9 w-full sm:w-60"
      aria-label={t("按分组显示价格")}
      value={value}
      options={groups.map(({ name, desc, ratio }) => ({ value: name, label: groupLabel(t, name, t(desc), ratio) }))}
      onValueChange={onChange}
    />
  );
}

type VendorSelectProps = Pick<PricingToolbarProps, "vendors" | "search" | "onChange">;

function VendorSelect({ vendors, search, onChange }: VendorSelectProps) {
  const { t } = useTranslation();
  return (
    <OptionSelect
      className="h-9 w-full sm:w-40"
      aria-label={t("厂商")}
      value={search.vendor ?? ""}
      options={[
        { value: "", label: t("全部厂商") },
        ...vendors.map(({ name, count }) => ({
          value: name,
          label: `${name === OTHER_VENDORS ? t("其他") : name} (${count})`,
        })),
      ]}
      onValueChange={(vendor) => onChange({ vendor })}
    />
  );
}

type PricingToolbarProps = {
  readonly search: PricingSearch;
  readonly vendors: readonly VendorCount[];
  readonly groups: readonly PriceGroup[];
  /** The group whose prices are shown. */
  readonly group: PriceGroup | undefined;
  readonly onChange: (patch: PricingSearch) => void;
};

/** The filters of the price list, and the group whose prices it shows. */
export function PricingToolbar({ search, vendors, groups, group, onChange }: PricingToolbarProps) {
  const { t } = useTranslation();
  return (
    <>
      <SearchInput
        main
        label={t("搜索模型")}
        value={search.keyword ?? ""}
        onSearch={(keyword) => onChange({ keyword })}
      />
      {vendors.length > 1 && <VendorSelect vendors={vendors} search={search} onChange={onChange} />}
      <OptionSelect
        className="h-9 w-full sm:w-40"
        aria-label={t("计费方式")}
        value={search.billing ?? ""}
        options={[
          { value: "", label: t("全部计费方式") },
          { value: "token", label: t("按量计费") },
          { value: "call", label: t("按次计费") },
        ]}
        onValueChange={(billing) => onChange({ billing })}
      />
      {group && (
        <>
          <GroupSwitch groups={groups} value={group.name} onChange={(name) => onChange({ group: name })} />
          {group.ratio !== 1 && <RatioBadge ratio={group.ratio} />}
        </>
      )}
    </>
  );
}
