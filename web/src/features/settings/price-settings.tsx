import { useState } from "react";
import { useTranslation } from "react-i18next";
import { confirm } from "../../components/confirm.ts";
import { Button } from "../../components/ui/button.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../components/ui/tabs.tsx";
import { text } from "../../lib/i18n-source.ts";
import { notifyError, notifySuccess } from "../../lib/toast.ts";
import { PriceTable } from "./price-table.tsx";
import { SectionCard } from "./section-card.tsx";
import { JsonSetting } from "./setting-fields.tsx";
import { type OptionValues, refreshOptions, resetModelRatio } from "./settings-api.ts";
import { useSettingsSection } from "./use-settings-section.ts";

const KEYS = ["ModelRatio", "CompletionRatio", "ModelPrice", "CacheRatio"] as const;

const JSON_TEXTS = {
  ModelRatio: { label: text("模型倍率"), help: text("输入 Token 的价格，1 等于每百万 Token $2。") },
  CompletionRatio: { label: text("补全倍率"), help: text("输出价格是输入价格的几倍。") },
  ModelPrice: { label: text("模型固定价格"), help: text("每次调用的价格（美元），优先于倍率。") },
  CacheRatio: { label: text("缓存倍率"), help: text("读取缓存的 Token 价格是输入价格的几倍，没有设置时为 1。") },
} as const;

/** What models cost: as a table of prices, or as the JSON of the four options. */
export function PriceSettings({ values }: { readonly values: OptionValues }) {
  const { t } = useTranslation();
  const section = useSettingsSection(values, KEYS);
  const [view, setView] = useState("table");
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
      title={t("模型价格")}
      description={t("没有价格的模型不能调用，除非启用了兜底价格。")}
      section={section}
      actions={
        <Button size="small" onClick={() => void reset()}>
          {t("恢复默认模型倍率")}
        </Button>
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
          {KEYS.map((key) => (
            <JsonSetting
              key={key}
              section={section}
              optionKey={key}
              rows={12}
              label={t(JSON_TEXTS[key].label)}
              help={t(JSON_TEXTS[key].help)}
            />
          ))}
        </TabsContent>
      </Tabs>
    </SectionCard>
  );
}
