import { CUSTOM_CODE, NOTICE, PERSONALIZATION, VERSION } from "../panels/other-panels.ts";
import { VersionPanel } from "../panels/version-panel.tsx";
import type { TabPanel } from "../section/setting-panel.ts";
import { fieldsOnly, TabPanels } from "../section/tab-panels.tsx";
import type { OptionValues } from "../settings-api.ts";

const PANELS: readonly TabPanel[] = [
  fieldsOnly(NOTICE),
  fieldsOnly(PERSONALIZATION),
  fieldsOnly(CUSTOM_CODE),
  { ...VERSION, Body: VersionPanel },
];

/** What visitors read and see, and which version runs. */
export function OtherTab({ values }: { readonly values: OptionValues }) {
  return <TabPanels panels={PANELS} values={values} />;
}
