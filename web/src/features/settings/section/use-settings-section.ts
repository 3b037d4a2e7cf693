import { type OptionDefinition, type OptionKey, OPTIONS } from "@turnpike/contract/options/option-definitions";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError, describeError } from "../../../lib/api-error.ts";
import { text } from "../../../lib/i18n-source.ts";
import { notifyProblem, notifySuccess } from "../../../lib/toast.ts";
import {
  type OptionChange,
  type OptionValues,
  optionValue,
  refreshOptions,
  saveOptions,
  secretsQuery,
} from "../settings-api.ts";
import { describeFailure, formatSettingNames } from "./describe-failure.ts";
import { findSettingProblem, type SettingProblem } from "./check-setting.ts";
import { findMissingSettings } from "./missing-settings.ts";
import { translateProblem } from "./translate-problem.ts";
import { json, trimmedText, type SettingCodec } from "./setting-codec.ts";
import type { SettingRule, ValueOf } from "./setting-panel.ts";

const definitionOf = (key: OptionKey): OptionDefinition => OPTIONS[key];

/** Whether a setting is written and never read back. */
export const isSecret = (key: OptionKey): boolean => definitionOf(key).secret === true;

const codecOf = ({ key, codec }: SettingRule): SettingCodec =>
  codec ?? (definitionOf(key).type === "json" ? json : trimmedText);

type Texts = Readonly<Partial<Record<OptionKey, string>>>;
type Failures = Readonly<Partial<Record<OptionKey, unknown>>>;

const without = <Map extends Texts | Failures>(map: Map, keys: readonly OptionKey[]): Map =>
  Object.fromEntries(Object.entries(map).filter(([key]) => !keys.some((one) => one === key))) as Map;

/** Runs before a save; its changes are stored with the others, and nothing is stored when it throws. */
export type BeforeSave = (valueOf: ValueOf, changed: readonly OptionKey[]) => Promise<readonly OptionChange[]>;

type SectionInput = {
  readonly values: OptionValues;
  /** The same list on every call. */
  readonly rules: readonly SettingRule[];
  readonly before?: BeforeSave;
};

/** The setting that the server refused, for which it stored nothing of the change. */
const getRefusedKey = (error: unknown): string | undefined =>
  error instanceof ApiError ? error.details.params?.["key"] : undefined;

/** A section of settings being edited: only what differs from the store is kept, checked and sent, as one change. */
export function useSettingsSection({ values, rules, before }: SectionInput) {
  const { t } = useTranslation();
  const [drafts, setDrafts] = useState<Texts>({});
  const [failures, setFailures] = useState<Failures>({});
  const hasNeeds = rules.some(({ key }) => definitionOf(key).needs !== undefined);
  const secrets = useQuery({ ...secretsQuery, enabled: hasNeeds }).data;
  const byKey = useMemo(() => new Map(rules.map((rule) => [rule.key, rule])), [rules]);
  const original = useMemo<Texts>(
    () => Object.fromEntries(rules.map((rule) => [rule.key, codecOf(rule).show(optionValue(values, rule.key))])),
    [values, rules],
  );
  const stored = (key: OptionKey, shown: string): string => {
    const rule = byKey.get(key);
    return rule ? codecOf(rule).store(shown) : shown;
  };
  const valueOf = (key: OptionKey): string => drafts[key] ?? original[key] ?? optionValue(values, key);
  const wireValue = (key: OptionKey): string => stored(key, valueOf(key));
  const isChanged = (key: OptionKey): boolean => {
    const draft = drafts[key];
    return draft !== undefined && stored(key, draft) !== stored(key, original[key] ?? "");
  };
  const changed = rules.map(({ key }) => key).filter(isChanged);
  const needsProblem = (key: OptionKey): SettingProblem | undefined => {
    const missing = wireValue(key) === "true" ? findMissingSettings(key, wireValue, secrets) : [];
    if (missing.length === 0) return undefined;
    return { message: text("请先填写：{{names}}"), values: { names: formatSettingNames(missing, rules, t) } };
  };
  const problemOf = (key: OptionKey): SettingProblem | undefined => {
    if (!isChanged(key)) return undefined;
    const value = wireValue(key);
    return findSettingProblem(key, value) ?? byKey.get(key)?.check?.(value, wireValue) ?? needsProblem(key);
  };
  const save = useMutation({
    mutationFn: async () => {
      const more = (await before?.(wireValue, changed)) ?? [];
      await saveOptions([...changed.map((key) => ({ key, value: wireValue(key) })), ...more]);
      await refreshOptions();
    },
    onSuccess: () => {
      setDrafts({});
      setFailures({});
      notifySuccess(t("已保存"));
    },
    onError: (error) => {
      const key = getRefusedKey(error);
      setFailures(key === undefined ? {} : { [key]: error });
      notifyProblem(
        t("保存失败，请重试"),
        key === undefined ? describeError(error, t) : describeFailure(error, rules, t),
      );
    },
  });
  return {
    valueOf,
    /** What is wrong with a setting, in the reader's language: by the checks here, else by the server's response. */
    messageOf: (key: OptionKey): string | undefined => {
      const problem = problemOf(key);
      if (problem) return translateProblem(problem);
      const failure = failures[key];
      return failure === undefined ? undefined : describeFailure(failure, rules, t);
    },
    rules,
    changed,
    isWrong: changed.some((key) => problemOf(key) !== undefined),
    set: (key: OptionKey, value: string) => {
      setDrafts((now) => ({ ...now, [key]: value }));
      setFailures((now) => without(now, [key]));
    },
    discard: () => {
      setDrafts({});
      setFailures({});
    },
    save,
  };
}

export type SettingsSection = ReturnType<typeof useSettingsSection>;
