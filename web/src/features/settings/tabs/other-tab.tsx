import { CUSTOM_CODE, NOTICE, PERSONALIZATION, VERSION } from "../panels/other-panels.ts";
import { VersionPanel } from "../panels/version-panel.tsx";
import type { TabPanel } from "../section/setting-panel.ts";
import { fieldsOnly, TabPanels } from "../section/tab-panels.tsx";
import type { OptionValues } from "../settings-api.ts";

/** The sections of this tab. */
export const OTHER_PANELS: readonly TabPanel[] = [
  fieldsOnly(NOTICE),
  fieldsOnly(PERSONALIZATION),
  fieldsOnly(CUSTOM_CODE),
  { ...VERSION, Body: VersionPanel },
];

/** Texts for visitors, and the running version. */
export function OtherTab({ values }: { readonly values: OptionValues }) {
  return <TabPanels panels={OTHER_PANELS} values={values} />;
}
