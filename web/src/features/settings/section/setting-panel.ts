import type { OptionKey } from "@turnpike/contract/options/option-definitions";
import type { ComponentType } from "react";
import type { Question } from "../../../components/confirm.ts";
import type { OptionValues } from "../settings-api.ts";
import type { SettingProblem } from "./check-setting.ts";
import type { SettingCodec } from "./setting-codec.ts";

/** Reads another setting of the same section as edited in the form. */
export type ValueOf = (key: OptionKey) => string;

/** The properties of a setting that a section needs to keep, check and store it. */
export type SettingRule = {
  readonly key: OptionKey;
  /** A source sentence; messages refer to the setting by it. */
  readonly label: string;
  /**
   * How the stored text is shown and how the shown one is stored; without one, JSON is formatted and other text
   * trimmed.
   */
  readonly codec?: SettingCodec;
  /** Checks what the registry cannot express; gets the value as it would be stored. */
  readonly check?: (value: string, getValue: ValueOf) => SettingProblem | undefined;
};

/** A setting and how it is shown. The control follows from the registry's type, `as` names the kind of text. */
export type SettingField = SettingRule & {
  /** A source sentence: what the setting does and its unit. The field adds the default. */
  readonly help: string;
  /**
   * `area`: several lines; `code`: several lines of CSS or similar; `content`: text that visitors see, with a preview.
   */
  readonly as?: "area" | "code" | "content";
  /** An amount of quota: its value in dollars is shown next to it. */
  readonly quota?: true;
  readonly rows?: number;
  readonly placeholder?: string;
  /** Source sentences for the choices of the registry. */
  readonly choices?: Readonly<Record<string, string>>;
  /** The switch that must be on for this setting to take effect. */
  readonly only?: OptionKey;
  /** The question before the switch is turned off or on; texts are source sentences. */
  readonly confirmOff?: SettingQuestion;
  readonly confirmOn?: SettingQuestion;
};

export type SettingQuestion = Pick<Question, "title" | "action"> & { readonly description: string };

/** A section of the settings that consists of its fields only. */
export type SettingPanel = {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly fields: readonly SettingField[];
};

/** A section in a tab's list; `Body` when fields alone are not enough. */
export type TabPanel = Pick<SettingPanel, "id" | "title"> & {
  /** The settings inside: the section is hidden from users who may see none of them. */
  readonly fields: readonly SettingRule[];
  readonly Body: ComponentType<{ readonly values: OptionValues }>;
};
