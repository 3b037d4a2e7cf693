import { type OptionDefinition, OPTIONS } from "@turnpike/contract/options/option-definitions";
import { ContentSetting } from "./content-setting.tsx";
import { SecretSetting } from "./secret-setting.tsx";
import {
  AreaSetting,
  ChoiceSetting,
  JsonSetting,
  LineSetting,
  type SettingProps,
  SwitchSetting,
} from "./setting-fields.tsx";

/** The control of a setting, by its type in the registry and its kind of text. */
export function SettingControl({ section, field }: Omit<SettingProps, "disabled">) {
  const definition: OptionDefinition = OPTIONS[field.key];
  const disabled = field.only !== undefined && section.valueOf(field.only) !== "true";
  const props = { section, field, disabled };
  if (definition.secret === true) return <SecretSetting {...props} />;
  if (definition.type === "boolean") return <SwitchSetting {...props} />;
  if (definition.choices !== undefined) return <ChoiceSetting {...props} />;
  if (field.as === "content") return <ContentSetting {...props} />;
  if (field.as !== undefined) return <AreaSetting {...props} />;
  return definition.type === "json" ? <JsonSetting {...props} /> : <LineSetting {...props} />;
}
