import { CLAUDE, GEMINI, GLOBAL_MODELS, RATE_LIMIT } from "../panels/model-panels.ts";
import type { TabPanel } from "../section/setting-panel.ts";
import { fieldsOnly, TabPanels } from "../section/tab-panels.tsx";
import type { OptionValues } from "../settings-api.ts";

const LIMITS: readonly TabPanel[] = [fieldsOnly(RATE_LIMIT)];
const MODELS: readonly TabPanel[] = [fieldsOnly(GLOBAL_MODELS), fieldsOnly(GEMINI), fieldsOnly(CLAUDE)];

/** How often users may call models. */
export function RateLimitTab({ values }: { readonly values: OptionValues }) {
  return <TabPanels panels={LIMITS} values={values} />;
}

/** How calls are sent to models. */
export function ModelsTab({ values }: { readonly values: OptionValues }) {
  return <TabPanels panels={MODELS} values={values} />;
}
