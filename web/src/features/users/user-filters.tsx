import { ROLE, USER_STATUS } from "@turnpike/contract/codes";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { SearchInput } from "../../components/data-table/search-input.tsx";
import { OptionSelect } from "../../components/option-select.tsx";
import { groupNamesQuery } from "../../domain/groups/groups-api.ts";

/** The user list's search parameters. */
type UserSearch = {
  readonly keyword?: string | undefined;
  readonly group?: string | undefined;
  readonly role?: 1 | 10 | 100 | undefined;
  readonly status?: 1 | 2 | 3 | undefined;
};
type UserFiltersProps = { readonly search: UserSearch; readonly onChange: (change: UserSearch) => void };

const ROLES = [ROLE.user, ROLE.admin, ROLE.root] as const;
const DEREGISTERED = 3;
const STATES = [USER_STATUS.active, USER_STATUS.banned, DEREGISTERED] as const;

/** Filters the user list by id, name or e-mail, by group, role and status. */
export function UserFilters({ search, onChange }: UserFiltersProps) {
  const { t } = useTranslation();
  const groups = useQuery(groupNamesQuery);
  const roleNames = { [ROLE.user]: t("普通用户"), [ROLE.admin]: t("管理员"), [ROLE.root]: t("超级管理员") };
  const stateNames = {
    [USER_STATUS.active]: t("正常"),
    [USER_STATUS.banned]: t("已封禁"),
    [DEREGISTERED]: t("已注销"),
  };
  const sized = "h-9 w-[calc(50%-0.25rem)] sm:w-36";
  return (
    <>
      <SearchInput
        main
        className="sm:w-80"
        label={t("ID、用户名、显示名称或邮箱")}
        value={search.keyword ?? ""}
        onSearch={(keyword) => onChange({ keyword })}
      />
      <OptionSelect
        className={sized}
        aria-label={t("分组")}
        value={search.group ?? ""}
        options={[
          { value: "", label: t("全部分组") },
          ...(groups.data ?? []).map((name) => ({ value: name, label: name })),
        ]}
        onValueChange={(group) => onChange({ group })}
      />
      <OptionSelect
        className={sized}
        aria-label={t("身份")}
        value={String(search.role ?? "")}
        options={[
          { value: "", label: t("全部身份") },
          ...ROLES.map((role) => ({ value: String(role), label: roleNames[role] })),
        ]}
        onValueChange={(value) => onChange({ role: ROLES.find((role) => String(role) === value) })}
      />
      <OptionSelect
        className={sized}
        aria-label={t("状态")}
        value={String(search.status ?? "")}
        options={[
          { value: "", label: t("全部状态") },
          ...STATES.map((state) => ({ value: String(state), label: stateNames[state] })),
        ]}
        onValueChange={(value) => onChange({ status: STATES.find((state) => String(state) === value) })}
      />
    </>
  );
}
