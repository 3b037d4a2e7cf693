import type { PriceBook } from "@turnpike/contract/api/prices/price-revisions";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { z } from "zod/mini";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../../components/ui/tabs.tsx";
import { parseJson } from "../../../lib/api/parse-json.ts";
import { SectionCard } from "../section/section-card.tsx";
import { JsonSetting } from "../section/setting-fields.tsx";
import { PriceBookGate } from "../prices/price-book-gate.tsx";
import { PriceConflictNotice } from "../prices/price-conflict.tsx";
import { usePriceSection } from "../prices/use-price-section.ts";
import type { OptionValues } from "../settings-api.ts";
import { GROUP_FIELDS } from "../lists/list-fields.ts";
import { groupOptions, type GroupRow, groupRows } from "./group-rows.ts";
import { getHeldGroup, MoveGroupDialog } from "./move-group-dialog.tsx";
import { GroupTable } from "./group-table.tsx";

const Ratios = z.record(z.string(), z.number());
const Texts = z.record(z.string(), z.string());

type GroupSettingsProps = { readonly values: OptionValues };

/** The groups: their ratios, and which of them users may choose. */
export function GroupSettings({ values }: GroupSettingsProps) {
  return <PriceBookGate>{(book) => <OpenGroupSettings book={book} values={values} />}</PriceBookGate>;
}

function OpenGroupSettings({ book, values }: GroupSettingsProps & { readonly book: PriceBook }) {
  const { t } = useTranslation();
  const section = usePriceSection({
    book,
    rules: GROUP_FIELDS,
    others: values,
    showsFailure: (error) => getHeldGroup(error) !== undefined,
  });
  const [view, setView] = useState("table");
  const ratios = parseJson(Ratios, section.valueOf("GroupRatio"));
  const descriptions = parseJson(Texts, section.valueOf("UserUsableGroups"));
  const held = getHeldGroup(section.save.error);
  const change = (rows: readonly GroupRow[]): void => {
    const next = groupOptions(rows);
    section.set("GroupRatio", JSON.stringify(next.ratios, undefined, 2));
    section.set("UserUsableGroups", JSON.stringify(next.descriptions, undefined, 2));
  };
  return (
    <SectionCard
      id="groups"
      title={t("分组设置")}
      description={t("分组决定调用能用哪些渠道，以及价格乘以多少。")}
      section={section}
    >
      <Tabs value={view} onValueChange={setView} className="flex flex-col gap-3">
        <TabsList aria-label={t("编辑方式")}>
          <TabsTrigger value="table">{t("表格")}</TabsTrigger>
          <TabsTrigger value="json">JSON</TabsTrigger>
        </TabsList>
        <TabsContent value="table">
          {ratios && descriptions ? (
            <GroupTable rows={groupRows(ratios, descriptions)} onChange={change} />
          ) : (
            <p className="py-6 text-center text-destructive">{t("JSON 有错误，请先在 JSON 视图中修正。")}</p>
          )}
        </TabsContent>
        <TabsContent value="json" className="grid gap-4 md:grid-cols-2">
          {GROUP_FIELDS.map((field) => (
            <JsonSetting key={field.key} section={section} field={field} />
          ))}
        </TabsContent>
      </Tabs>
      <PriceConflictNotice section={section} />
      {held && (
        <MoveGroupDialog
          key={held.name}
          group={held}
          onMoved={() => section.save.mutate()}
          onClose={section.save.reset}
        />
      )}
    </SectionCard>
  );
}
