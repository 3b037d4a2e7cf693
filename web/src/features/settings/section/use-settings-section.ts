import { type OptionDefinition, type OptionKey, OPTIONS } from "@turnpike/contract/options/option-definitions";
import type { TFunction } from "i18next";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError, describeError } from "../../../lib/api/api-error.ts";
import { text } from "../../../lib/text/i18n-source.ts";
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

const getDefinition = (key: OptionKey): OptionDefinition => OPTIONS[key];

/** Whether a setting is write-only. */
export const isSecret = (key: OptionKey): boolean => getDefinition(key).secret === true;

const getCodec = ({ key, codec }: SettingRule): SettingCodec =>
  codec ?? (getDefinition(key).type === "json" ? json : trimmedText);

type Texts = Readonly<Partial<Record<OptionKey, string>>>;
type Failures = Readonly<Partial<Record<OptionKey, unknown>>>;

const without = <Map extends Texts | Failures>(map: Map, keys: readonly OptionKey[]): Map =>
  Object.fromEntries(Object.entries(map).filter(([key]) => !keys.some((one) => one === key))) as Map;

/** Runs before a save; its changes are stored with the others, and nothing is stored when it throws. */
export type BeforeSave = (getValue: ValueOf, changed: readonly OptionKey[]) => Promise<readonly OptionChange[]>;

type SectionInput = {
  readonly values: OptionValues;
  /** The same list on every call. */
  readonly rules: readonly SettingRule[];
  readonly before?: BeforeSave;
  /** Stores the changes as one, all or none; without one they are site options. */
  readonly store?: (changes: readonly OptionChange[]) => Promise<unknown>;
  /** True for a failure that the section shows in a place of its own: no toast repeats it. */
  readonly showsFailure?: (error: unknown) => boolean;
};

/** The setting that the server refused; nothing of the change was stored. */
const getRefusedKey = (error: unknown): string | undefined =>
  error instanceof ApiError ? error.details.params?.["key"] : undefined;

/** Shows why a save failed, and returns the failure by the setting that caused it. */
function reportFailure(error: unknown, rules: readonly SettingRule[], t: TFunction): Failures {
  const key = getRefusedKey(error);
  notifyProblem(t("保存失败，请重试"), key === undefined ? describeError(error, t) : describeFailure(error, rules, t));
  return key === undefined ? {} : { [key]: error };
}

/** The texts being edited; only those that differ from the stored values are changes. */
function useDrafts(values: OptionValues, rules: readonly SettingRule[]) {
  const [drafts, setDrafts] = useState<Texts>({});
  const byKey = useMemo(() => new Map(rules.map((rule) => [rule.key, rule])), [rules]);
  const original = useMemo<Texts>(
    () => Object.fromEntries(rules.map((rule) => [rule.key, getCodec(rule).show(optionValue(values, rule.key))])),
    [values, rules],
  );
  const stored = (key: OptionKey, shown: string): string => {
    const rule = byKey.get(key);
    return rule ? getCodec(rule).store(shown) : shown;
  };
  const getValue = (key: OptionKey): string => drafts[key] ?? original[key] ?? optionValue(values, key);
  const isChanged = (key: OptionKey): boolean => {
    const draft = drafts[key];
    return draft !== undefined && stored(key, draft) !== stored(key, original[key] ?? "");
  };
  return {
    valueOf: getValue,
    wireValue: (key: OptionKey): string => stored(key, getValue(key)),
    isChanged,
    findRule: (key: OptionKey): SettingRule | undefined => byKey.get(key),
    set: (key: OptionKey, value: string) => setDrafts((now) => ({ ...now, [key]: value })),
    discard: () => setDrafts({}),
  };
}

/**
 * A section of settings in editing: only values that differ from the stored ones are kept, checked and sent, as one
 * change.
 */
export function useSettingsSection({ values, rules, before, store = saveOptions, showsFailure }: SectionInput) {
  const { t } = useTranslation();
  const drafts = useDrafts(values, rules);
  const { valueOf: getValue, wireValue, isChanged } = drafts;
  const [failures, setFailures] = useState<Failures>({});
  const hasNeeds = rules.some(({ key }) => getDefinition(key).needs !== undefined);
  const secrets = useQuery({ ...secretsQuery, enabled: hasNeeds }).data;
  const changed = rules.map(({ key }) => key).filter(isChanged);
  const getChanges = (): readonly OptionChange[] => changed.map((key) => ({ key, value: wireValue(key) }));
  const needsProblem = (key: OptionKey): SettingProblem | undefined => {
    const missing = wireValue(key) === "true" ? findMissingSettings(key, wireValue, secrets) : [];
    if (missing.length === 0) return undefined;
    return { message: text("请先填写：{{names}}"), values: { names: formatSettingNames(missing, rules, t) } };
  };
  const getProblem = (key: OptionKey): SettingProblem | undefined => {
    if (!isChanged(key)) return undefined;
    const value = wireValue(key);
    return findSettingProblem(key, value) ?? drafts.findRule(key)?.check?.(value, wireValue) ?? needsProblem(key);
  };
  const discard = (): void => {
    drafts.discard();
    setFailures({});
  };
  const save = useMutation({
    mutationFn: async () => {
      const more = (await before?.(wireValue, changed)) ?? [];
      await store([...getChanges(), ...more]);
      await refreshOptions();
    },
    onSuccess: () => {
      discard();
      notifySuccess(t("已保存"));
    },
    onError: (error) => setFailures(showsFailure?.(error) === true ? {} : reportFailure(error, rules, t)),
  });
  return {
    valueOf: getValue,
    /** The error of a setting, in the user's language: from the checks here, else from the server's response. */
    findMessage: (key: OptionKey): string | undefined => {
      const problem = getProblem(key);
      if (problem) return translateProblem(problem);
      const failure = failures[key];
      return failure === undefined ? undefined : describeFailure(failure, rules, t);
    },
    rules,
    changed,
    /** The unsaved changes as they would be sent. */
    getChanges,
    isWrong: changed.some((key) => getProblem(key) !== undefined),
    set: (key: OptionKey, value: string) => {
      drafts.set(key, value);
      setFailures((now) => without(now, [key]));
    },
    discard,
    save,
  };
}

export type SettingsSection = ReturnType<typeof useSettingsSection>;
