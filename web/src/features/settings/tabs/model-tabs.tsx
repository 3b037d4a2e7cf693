import { CLAUDE, GEMINI, GLOBAL_MODELS, RATE_LIMIT } from "../panels/model-panels.ts";
import type { TabPanel } from "../section/setting-panel.ts";
import { fieldsOnly, TabPanels } from "../section/tab-panels.tsx";
import type { OptionValues } from "../settings-api.ts";

/** The section of the tab of request limits. */
export const LIMIT_PANELS: readonly TabPanel[] = [fieldsOnly(RATE_LIMIT)];
/** The sections of the tab of models. */
export const MODEL_PANELS: readonly TabPanel[] = [fieldsOnly(GLOBAL_MODELS), fieldsOnly(GEMINI), fieldsOnly(CLAUDE)];

/** Request limits of users. */
export function RateLimitTab({ values }: { readonly values: OptionValues }) {
  return <TabPanels panels={LIMIT_PANELS} values={values} />;
}

/** Settings of calls to models. */
export function ModelsTab({ values }: { readonly values: OptionValues }) {
  return <TabPanels panels={MODEL_PANELS} values={values} />;
}
