import { type OptionKey, OPTIONS } from "@turnpike/contract/options/option-definitions";
import { useMutation } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { runForEach } from "../../lib/bulk.ts";
import { notifyError, notifySuccess } from "../../lib/toast.ts";
import { findSettingProblem, type SettingProblem } from "./check-setting.ts";
import { type OptionValues, optionValue, refreshOptions, saveOption } from "./settings-api.ts";

const pretty = (value: string): string => {
  try {
    return JSON.stringify(JSON.parse(value), undefined, 2);
  } catch {
    return value;
  }
};

/** A setting as it is edited: JSON laid out, everything else as stored. */
const shown = (values: OptionValues, key: OptionKey): string => {
  const value = optionValue(values, key);
  return OPTIONS[key].type === "json" ? pretty(value) : value;
};

type Drafts = Readonly<Partial<Record<OptionKey, string>>>;

/** A section of settings being edited: only what differs from the store is kept, checked and sent. */
export function useSettingsSection(values: OptionValues, keys: readonly OptionKey[]) {
  const { t } = useTranslation();
  const [drafts, setDrafts] = useState<Drafts>({});
  const original = useMemo(() => Object.fromEntries(keys.map((key) => [key, shown(values, key)])), [values, keys]);
  const valueOf = (key: OptionKey): string => drafts[key] ?? original[key] ?? "";
  const changed = keys.filter((key) => drafts[key] !== undefined && drafts[key] !== original[key]);
  const problemOf = (key: OptionKey): SettingProblem | undefined =>
    changed.includes(key) ? findSettingProblem(key, valueOf(key)) : undefined;
  const wireValue = (key: OptionKey): string =>
    OPTIONS[key].type === "json" ? JSON.stringify(JSON.parse(valueOf(key))) : valueOf(key).trim();
  const save = useMutation({
    mutationFn: async () => {
      const done: OptionKey[] = [];
      const { firstError } = await runForEach(changed, async (key) => {
        await saveOption(key, wireValue(key));
        done.push(key);
      });
      await refreshOptions();
      setDrafts((now) => Object.fromEntries(Object.entries(now).filter(([key]) => !done.includes(key as OptionKey))));
      if (firstError !== undefined) throw firstError;
    },
    onSuccess: () => notifySuccess(t("已保存")),
    onError: notifyError,
  });
  return {
    valueOf,
    problemOf,
    changed,
    isWrong: changed.some((key) => problemOf(key) !== undefined),
    set: (key: OptionKey, value: string) => setDrafts((now) => ({ ...now, [key]: value })),
    discard: () => setDrafts({}),
    save,
  };
}

export type SettingsSection = ReturnType<typeof useSettingsSection>;
