import type { PriceBook } from "@turnpike/contract/api/prices/price-revisions";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { confirm } from "../../../components/confirm.ts";
import { Button } from "../../../components/ui/button.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../../components/ui/tabs.tsx";
import { notifyError, notifySuccess } from "../../../lib/toast.ts";
import { SectionCard } from "../section/section-card.tsx";
import { ChoiceSetting, JsonSetting, LineSetting } from "../section/setting-fields.tsx";
import { refreshOptions } from "../settings-api.ts";
import { changePrices } from "./price-book-api.ts";
import { PriceBookGate } from "./price-book-gate.tsx";
import { PriceConflictNotice } from "./price-conflict.tsx";
import {
  APPLY_FACTOR,
  CATALOGUE_SOURCE,
  CATALOGUE_URL,
  CONFIRM_FACTOR,
  PRICE_FIELDS,
  RULE_FIELDS,
  RULES,
  SCHEDULE,
  TIERS,
} from "./price-fields.ts";
import { ProposalBadge } from "./proposal-notice.tsx";
import { PriceTable } from "./table/price-table.tsx";
import type { PriceTables } from "./price-rows.ts";
import { readTables, withoutPreset, withPreset, writeTables } from "./table/price-tables.ts";
import { type PriceSection, usePriceSection } from "./use-price-section.ts";

const PresetDialog = lazy(async () => ({ default: (await import("./preset-dialog.tsx")).PresetDialog }));

const CatalogueSheet = lazy(async () => ({ default: (await import("./catalogue-sheet.tsx")).CatalogueSheet }));

const RehearsalSheet = lazy(async () => ({
  default: (await import("../rehearsal/rehearsal-sheet.tsx")).RehearsalSheet,
}));

const PriceHistorySheet = lazy(async () => ({
  default: (await import("./history/price-history-sheet.tsx")).PriceHistorySheet,
}));

type ActionsProps = {
  readonly section: PriceSection;
  readonly onPreset: (() => void) | undefined;
  readonly onHistory: () => void;
  readonly onCatalogue: () => void;
  readonly onRehearse: () => void;
};

/** The buttons next to the title. */
function Actions({ section, onPreset, onHistory, onCatalogue, onRehearse }: ActionsProps) {
  const { t } = useTranslation();
  const reset = async (): Promise<void> => {
    const sure = await confirm({
      title: t("把模型倍率恢复为内置的默认值？"),
      description: t("现在的模型倍率会被替换，此操作无法撤销。"),
      action: t("恢复默认值"),
      danger: true,
    });
    if (!sure) return;
    await changePrices([{ key: "ModelRatio", reset: true }], section.revision).then(() => {
      notifySuccess(t("已恢复默认值"));
      section.discard();
    }, notifyError);
    await refreshOptions();
  };
  return (
    <div className="flex flex-wrap gap-2">
      <Button variant="outline" size="sm" disabled={!onPreset} onClick={onPreset}>
        {t("预设倍率")}
      </Button>
      <Button variant="outline" size="sm" disabled={section.isWrong} onClick={onRehearse}>
        {t("试算")}
      </Button>
      <Button variant="outline" size="sm" onClick={onCatalogue}>
        {t("比较价格目录")}
        <ProposalBadge />
      </Button>
      <Button variant="outline" size="sm" onClick={onHistory}>
        {t("修改历史")}
      </Button>
      <Button variant="outline" size="sm" onClick={() => void reset()}>
        {t("恢复默认模型倍率")}
      </Button>
    </div>
  );
}

/** The prices as a table, the models without one, and the options as JSON. */
function Views({ section }: { readonly section: PriceSection }) {
  const { t } = useTranslation();
  const [view, setView] = useState("table");
  return (
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
        {[...PRICE_FIELDS, RULES].map((field) => (
          <JsonSetting key={field.key} section={section} field={field} />
        ))}
      </TabsContent>
    </Tabs>
  );
}

function OpenPriceSettings({ book }: { readonly book: PriceBook }) {
  const { t } = useTranslation();
  const section = usePriceSection({ book, rules: [...PRICE_FIELDS, ...RULE_FIELDS] });
  const [opened, open] = useState<"preset" | "history" | "catalogue" | "rehearsal">();
  const close = (): void => open(undefined);
  const tables = readTables(section);
  const change = (next: PriceTables): void => {
    writeTables(section, next);
    close();
  };
  return (
    <SectionCard
      id="prices"
      title={t("模型价格")}
      description={t("没有价格的模型不能调用，除非启用了兜底价格。")}
      section={section}
      actions={
        <Actions
          section={section}
          onPreset={tables && (() => open("preset"))}
          onHistory={() => open("history")}
          onCatalogue={() => open("catalogue")}
          onRehearse={() => open("rehearsal")}
        />
      }
    >
      <Views section={section} />
      <div className="grid gap-4 sm:grid-cols-2">
        <ChoiceSetting section={section} field={TIERS} />
        <LineSetting section={section} field={CONFIRM_FACTOR} />
        <ChoiceSetting section={section} field={SCHEDULE} />
        {section.valueOf(SCHEDULE.key) !== "off" && (
          <>
            <ChoiceSetting section={section} field={CATALOGUE_SOURCE} />
            <LineSetting section={section} field={CATALOGUE_URL} />
            {section.valueOf(SCHEDULE.key) === "apply" && <LineSetting section={section} field={APPLY_FACTOR} />}
          </>
        )}
      </div>
      <PriceConflictNotice section={section} />
      <Suspense>
        {opened === "catalogue" && <CatalogueSheet onClose={close} />}
        {opened === "rehearsal" && (
          <RehearsalSheet
            proposal={{ changes: section.getPriceChanges(), revision: section.revision }}
            onClose={close}
          />
        )}
        {opened === "history" && <PriceHistorySheet onClose={close} />}
        {opened === "preset" && tables && (
          <PresetDialog
            onApply={(preset) => change(withPreset(tables, preset))}
            onRemove={(preset) => change(withoutPreset(tables, preset))}
            onClose={close}
          />
        )}
      </Suspense>
    </SectionCard>
  );
}

/** What models cost: as a table of prices, or as the JSON of the options. */
export function PriceSettings() {
  return <PriceBookGate>{(book) => <OpenPriceSettings book={book} />}</PriceBookGate>;
}
