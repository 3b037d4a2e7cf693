import { findGroupRatio, type PriceTables, findSpecialGroupRatio } from "@turnpike/contract/pricing/price-tables";
import type { RowCharge } from "./row-charge.ts";

type Place = Pick<RowCharge, "group" | "groupRatio">;

/**
 * Finds the user's own group of a row, which rows do not hold: the group whose special ratio the row has, where that differs from the
 * ratio of the other users. "" for the other users.
 */
export function createUserGroups(current: PriceTables): (row: Place) => string {
  const found = new Map<string, string>();
  const search = ({ group, groupRatio }: Place): string => {
    if (findGroupRatio(current, group) === groupRatio) return "";
    const groups = Object.keys(current.groupGroupRatio);
    return groups.find((own) => findSpecialGroupRatio(current, group, own) === groupRatio) ?? "";
  };
  return (row) => {
    const key = `${row.groupRatio} ${row.group}`;
    const known = found.get(key);
    if (known !== undefined) return known;
    const userGroup = search(row);
    found.set(key, userGroup);
    return userGroup;
  };
}
