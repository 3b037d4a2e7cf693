import { ROLE } from "@turnpike/contract/codes";
import type { OptionKey } from "@turnpike/contract/options/option-definitions";
import { mayChangeOption } from "@turnpike/contract/options/option-permissions";
import { useMemo } from "react";
import { useSession } from "../../../lib/session/session.ts";
import type { OptionValues } from "../settings-api.ts";

/** Whether a role may change a setting. The switch that guards settings is closed to the roles it excludes. */
export const isOpen = (key: OptionKey, values: OptionValues, role: number): boolean =>
  mayChangeOption(key, role, role < ROLE.root && !("SecretOptionsRootOnly" in values));

/** The settings of a list that the signed-in user may change. */
export function useOpenFields<Field extends { readonly key: OptionKey }>(
  fields: readonly Field[],
  values: OptionValues,
): readonly Field[] {
  const role = useSession((state) => state.user?.role ?? 0);
  return useMemo(() => fields.filter(({ key }) => isOpen(key, values, role)), [fields, values, role]);
}
