import { CHAT_FIELDS, GROUP_FIELDS } from "../src/features/settings/lists/list-fields.ts";
import { FALLBACK_FIELDS, PRICE_FIELDS, RULE_FIELDS } from "../src/features/settings/prices/price-fields.ts";
import * as models from "../src/features/settings/panels/model-panels.ts";
import * as logs from "../src/features/settings/panels/operation-log-panels.ts";
import * as operation from "../src/features/settings/panels/operation-panels.ts";
import * as quota from "../src/features/settings/panels/operation-quota-panels.ts";
import * as routing from "../src/features/settings/panels/operation-routing-panels.ts";
import * as other from "../src/features/settings/panels/other-panels.ts";
import * as signIn from "../src/features/settings/panels/sign-in-panels.ts";
import * as system from "../src/features/settings/panels/system-panels.ts";
import type { SettingField, SettingPanel } from "../src/features/settings/section/setting-panel.ts";

/** The console's text about an option, in English. */
export type OptionText = {
  readonly key: string;
  readonly section: string;
  readonly label: string;
  readonly help: string;
};

const toPanel = (id: string, title: string, fields: readonly SettingField[]) => ({
  id,
  title,
  description: "",
  fields,
});
const PRICES: readonly SettingPanel[] = [
  toPanel("prices", "Prices", PRICE_FIELDS),
  toPanel("rules", "Price rules", RULE_FIELDS),
  toPanel("fallback", "Fallback prices", FALLBACK_FIELDS),
  toPanel("groups", "Groups", GROUP_FIELDS),
  toPanel("chats", "Chat links", CHAT_FIELDS),
];

/** The panels of a module by name: modules list their exports in no defined order. */
const listPanels = (group: object): SettingPanel[] =>
  Object.entries(group as Record<string, SettingPanel>)
    .toSorted(([a], [b]) => a.localeCompare(b, "en"))
    .map(([, panel]) => panel);

/** Label and help of every option that the console shows, by section in the console's order; `english` translates source sentences. */
export function listOptionTexts(english: ReadonlyMap<string, string>): OptionText[] {
  const translate = (source: string): string => (english.get(source) ?? source).replaceAll("{{price}}", "$2");
  const groups: readonly object[] = [operation, quota, logs, routing, models, signIn, system, other];
  const panels = [...groups.flatMap(listPanels), ...PRICES];
  return panels.flatMap(({ title, fields }) =>
    fields.map(({ key, label, help }) => ({
      key,
      section: translate(title),
      label: translate(label),
      help: translate(help),
    })),
  );
}
