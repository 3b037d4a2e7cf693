import { loadAreaTexts } from "../../lib/text/i18n.ts";
import { LIMIT_PANELS, MODEL_PANELS } from "./tabs/model-tabs.tsx";
import { OPERATION_PANELS } from "./tabs/operation-tab.tsx";
import { OTHER_PANELS } from "./tabs/other-tab.tsx";
import { SYSTEM_PANELS } from "./tabs/system-tab.tsx";

const TABS = [
  { tab: undefined, panels: OPERATION_PANELS },
  { tab: "ratelimit", panels: LIMIT_PANELS },
  { tab: "models", panels: MODEL_PANELS },
  { tab: "system", panels: SYSTEM_PANELS },
  { tab: "other", panels: OTHER_PANELS },
] as const;

/** A section of the settings, or one setting in it; texts are source sentences. */
export type SettingPlace = {
  readonly tab: (typeof TABS)[number]["tab"];
  /** The section's id, the hash of its address. */
  readonly section: string;
  readonly title: string;
  /** The setting's label; undefined for the section itself. */
  readonly label: string | undefined;
  /** The option's key; undefined for the section itself. */
  readonly key: string | undefined;
};

/** Every section and every setting, with the texts of all tabs loaded. */
export async function loadSettingPlaces(): Promise<readonly SettingPlace[]> {
  await Promise.all(
    (["settings", "settings-operation", "settings-models", "settings-system", "settings-other"] as const).map(
      loadAreaTexts,
    ),
  );
  return TABS.flatMap(({ tab, panels }) =>
    panels.flatMap(({ id: section, title, fields }) => [
      { tab, section, title, label: undefined, key: undefined },
      ...fields.map(({ label, key }) => ({ tab, section, title, label, key })),
    ]),
  );
}
