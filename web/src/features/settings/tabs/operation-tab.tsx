import { text } from "../../../lib/text/i18n-source.ts";
import { ChatSettings } from "../lists/chat-settings.tsx";
import { GroupSettings } from "../groups/group-settings.tsx";
import { CHAT_FIELDS, GROUP_FIELDS } from "../lists/list-fields.ts";
import { LOGS } from "../panels/operation-log-panels.ts";
import { LogPanel } from "../panels/log-panel.tsx";
import {
  DATA_DASHBOARD,
  IMAGE_GENERATION,
  GENERAL,
  MONITORING,
  PRESET_SOURCE,
  SENSITIVE_WORDS,
} from "../panels/operation-panels.ts";
import { CHECK_IN, INVITATION, QUOTA } from "../panels/operation-quota-panels.ts";
import { CALL_COSTS, MARGINS, MODEL_ROUTES, RESPONSE_CACHE, ROUTING } from "../panels/operation-routing-panels.ts";
import { FallbackSettings } from "../prices/fallback-settings.tsx";
import { FALLBACK_FIELDS, PRICE_FIELDS } from "../prices/price-fields.ts";
import { PriceSettings } from "../prices/price-settings.tsx";
import type { TabPanel } from "../section/setting-panel.ts";
import { fieldsOnly, TabPanels } from "../section/tab-panels.tsx";
import type { OptionValues } from "../settings-api.ts";

/** The sections of this tab. */
export const OPERATION_PANELS: readonly TabPanel[] = [
  fieldsOnly(GENERAL),
  { id: "prices", title: text("模型价格"), fields: PRICE_FIELDS, Body: PriceSettings },
  { id: "fallback", title: text("兜底价格"), fields: FALLBACK_FIELDS, Body: FallbackSettings },
  fieldsOnly(PRESET_SOURCE),
  { id: "groups", title: text("分组设置"), fields: GROUP_FIELDS, Body: GroupSettings },
  fieldsOnly(QUOTA),
  fieldsOnly(INVITATION),
  fieldsOnly(CHECK_IN),
  { id: "chats", title: text("聊天链接"), fields: CHAT_FIELDS, Body: ChatSettings },
  fieldsOnly(IMAGE_GENERATION),
  fieldsOnly(SENSITIVE_WORDS),
  { ...LOGS, Body: LogPanel },
  fieldsOnly(DATA_DASHBOARD),
  fieldsOnly(MONITORING),
  fieldsOnly(ROUTING),
  fieldsOnly(MODEL_ROUTES),
  fieldsOnly(MARGINS),
  fieldsOnly(CALL_COSTS),
  fieldsOnly(RESPONSE_CACHE),
];

/** Settings of sales, quota and monitoring. */
export function OperationTab({ values }: { readonly values: OptionValues }) {
  return <TabPanels panels={OPERATION_PANELS} values={values} />;
}
