import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { confirm } from "../../../components/confirm.ts";
import { Button } from "../../../components/ui/button.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../../components/ui/tabs.tsx";
import { notifyError, notifySuccess } from "../../../lib/toast.ts";
import { SectionCard } from "../section/section-card.tsx";
import { JsonSetting } from "../section/setting-fields.tsx";
import { useSettingsSection } from "../section/use-settings-section.ts";
import { type OptionValues, refreshOptions, resetModelRatio } from "../settings-api.ts";
import { PRICE_FIELDS } from "./price-fields.ts";
import { PriceTable } from "./price-table.tsx";
import type { PriceTables } from "./price-rows.ts";
import { readTables, withoutPreset, withPreset, writeTables } from "./price-tables.ts";

const PresetDialog = lazy(async () => ({ default: (await import("./preset-dialog.tsx")).PresetDialog }));

const PriceHistorySheet = lazy(async () => ({
  default: (await import("./price-history-sheet.tsx")).PriceHistorySheet,
}));

/** What models cost: as a table of prices, or as the JSON of the four options. */
export function PriceSettings({ values }: { readonly values: OptionValues }) {
  const { t } = useTranslation();
  const section = useSettingsSection({ values, rules: PRICE_FIELDS });
  const [view, setView] = useState("table");
  const [isPreset, setPreset] = useState(false);
  const [isHistory, setHistory] = useState(false);
  const tables = readTables(section);
  const change = (next: PriceTables): void => {
    writeTables(section, next);
    setPreset(false);
  };
  const reset = async (): Promise<void> => {
    const sure = await confirm({
      title: t("把模型倍率恢复为内置的默认值？"),
      description: t("现在的模型倍率会被替换，此操作无法撤销。"),
      action: t("恢复默认值"),
      danger: true,
    });
    if (!sure) return;
    await resetModelRatio().then(() => notifySuccess(t("已恢复默认值")), notifyError);
    section.discard();
    await refreshOptions();
  };
  return (
    <SectionCard
      id="prices"
      title={t("模型价格")}
      description={t("没有价格的模型不能调用，除非启用了兜底价格。")}
      section={section}
      actions={
        <div className="flex flex-wrap gap-2">
          <Button variant="outline" size="sm" disabled={!tables} onClick={() => setPreset(true)}>
            {t("预设倍率")}
          </Button>
          <Button variant="outline" size="sm" onClick={() => setHistory(true)}>
            {t("修改历史")}
          </Button>
          <Button variant="outline" size="sm" onClick={() => void reset()}>
            {t("恢复默认模型倍率")}
          </Button>
        </div>
      }
    >
      <Tabs value={view} onValueChange={setView} className="flex flex-col gap-3">
        <TabsList aria-label={t("编辑方式")}>
          <TabsTrigger value="table">{t("价格表")}</TabsTrigger>
          <TabsTrigger value="unset">{t("未设置价格的模型")}</TabsTrigger>
          <TabsTrigger value="json">JSON</TabsTrigger>
        </TabsList>
        <TabsContent value="table">
          <PriceTable section={section} onlyUnset={false} />
        </TabsContent>
        <TabsContent value="unset">
          <PriceTable section={section} onlyUnset />
        </TabsContent>
        <TabsContent value="json" className="grid gap-4 md:grid-cols-2">
          {PRICE_FIELDS.map((field) => (
            <JsonSetting key={field.key} section={section} field={field} />
          ))}
        </TabsContent>
      </Tabs>
      {isHistory && (
        <Suspense>
          <PriceHistorySheet onClose={() => setHistory(false)} />
        </Suspense>
      )}
      {isPreset && tables && (
        <Suspense>
          <PresetDialog
            onApply={(preset) => change(withPreset(tables, preset))}
            onRemove={(preset) => change(withoutPreset(tables, preset))}
            onClose={() => setPreset(false)}
          />
        </Suspense>
      )}
    </SectionCard>
  );
}
