import type { OptionKey } from "@turnpike/contract/options/option-definitions";
import type { ComponentType } from "react";
import type { Question } from "../../../components/confirm.ts";
import type { OptionValues } from "../settings-api.ts";
import type { SettingProblem } from "./check-setting.ts";
import type { SettingCodec } from "./setting-codec.ts";

/** Reads another setting of the same section as it stands in the form. */
export type ValueOf = (key: OptionKey) => string;

/** What a section needs to know of a setting to keep, check and store it. */
export type SettingRule = {
  readonly key: OptionKey;
  /** A source sentence; messages name the setting by it. */
  readonly label: string;
  /** How the stored text is shown and how the shown one is stored; without one, JSON is laid out and the rest is trimmed. */
  readonly codec?: SettingCodec;
  /** What the registry cannot say; gets the value as it would be stored. */
  readonly check?: (value: string, valueOf: ValueOf) => SettingProblem | undefined;
};

/** A setting and how it is shown. The control follows from the registry's type, `as` says which kind of text. */
export type SettingField = SettingRule & {
  /** A source sentence: what the setting does and its unit. The default is told by the field itself. */
  readonly help: string;
  /** `area`: several lines; `code`: several lines of CSS or the like; `content`: text that visitors see, with a preview. */
  readonly as?: "area" | "code" | "content";
  /** An amount of quota: what it is worth is shown beside it. */
  readonly quota?: true;
  readonly rows?: number;
  readonly placeholder?: string;
  /** Source sentences for the choices of the registry. */
  readonly choices?: Readonly<Record<string, string>>;
  /** The switch that must be on for this setting to count. */
  readonly only?: OptionKey;
  /** Asked before the switch is turned off or on; texts are source sentences. */
  readonly confirmOff?: SettingQuestion;
  readonly confirmOn?: SettingQuestion;
};

export type SettingQuestion = Pick<Question, "title" | "action"> & { readonly description: string };

/** A section of the settings that is described by its fields alone. */
export type SettingPanel = {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly fields: readonly SettingField[];
};

/** A section as a tab lists it; `Body` where fields alone do not do. */
export type TabPanel = Pick<SettingPanel, "id" | "title"> & {
  /** The settings inside: a reader who may see none of them does not see the section. */
  readonly fields: readonly SettingRule[];
  readonly Body: ComponentType<{ readonly values: OptionValues }>;
};
