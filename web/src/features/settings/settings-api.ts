import type { OptionRow } from "@turnpike/contract/api/option";
import { type OptionKey, OPTIONS } from "@turnpike/contract/options/option-definitions";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../lib/api-client.ts";
import { isAnything, isListOf, isObjectOf, isText } from "../../lib/check.ts";
import { queryClient } from "../../lib/query-client.ts";

const isOptionList = isListOf(isObjectOf<OptionRow>({ key: isText, value: isText }));

export type OptionValues = Readonly<Partial<Record<OptionKey, string>>>;

/** Every setting an admin may see, by key. */
export const optionsQuery = queryOptions({
  queryKey: ["options"],
  queryFn: async ({ signal }): Promise<OptionValues> => {
    const rows = await api.get("/api/option/", { fits: isOptionList, signal });
    return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
  },
});

/** The value in force of a setting: what is stored, else the built-in default. */
export const optionValue = (values: OptionValues, key: OptionKey): string => values[key] ?? OPTIONS[key].default;

/** Stores one setting. */
export const saveOption = (key: OptionKey, value: string) =>
  api.put("/api/option/", { body: { key, value }, fits: isAnything });

/** Puts the model ratios back to the built-in table. */
export const resetModelRatio = () => api.post("/api/option/rest_model_ratio", { body: {}, fits: isAnything });

/** Everything that settings show in is read again. */
export async function refreshOptions(): Promise<void> {
  const keys = [["options"], ["status"], ["pricing"], ["user-groups"], ["group-names"]];
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}
