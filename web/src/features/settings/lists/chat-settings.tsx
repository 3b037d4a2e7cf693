import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Input } from "../../../components/ui/input.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../../components/ui/tabs.tsx";
import { SectionCard } from "../section/section-card.tsx";
import { JsonSetting } from "../section/setting-fields.tsx";
import { useSettingsSection } from "../section/use-settings-section.ts";
import type { OptionValues } from "../settings-api.ts";
import { CHAT_FIELDS, CHATS } from "./list-fields.ts";
import { chatOption, type ChatRow, chatRows } from "./chat-rows.ts";

type ChatTableProps = { readonly rows: readonly ChatRow[]; readonly onChange: (rows: readonly ChatRow[]) => void };

function ChatTable({ rows, onChange }: ChatTableProps) {
  const { t } = useTranslation();
  const set = (index: number, row: ChatRow): void => onChange(rows.map((one, at) => (at === index ? row : one)));
  return (
    <div className="flex flex-col gap-3">
      {rows.length === 0 && <p className="text-[13px] text-muted-foreground">{t("还没有聊天链接。")}</p>}
      {rows.map((row, index) => (
        // Rows have no stable name while they are typed.
        // oxlint-disable-next-line no-array-index-key
        <div key={index} className="flex flex-wrap items-center gap-2">
          <Input
            aria-label={t("第 {{number}} 个链接的名称", { number: index + 1 })}
            placeholder={t("名称")}
            autoComplete="off"
            className="sm:w-48"
            value={row.name}
            onChange={(event) => set(index, { ...row, name: event.target.value })}
          />
          <Input
            aria-label={t("第 {{number}} 个链接的地址", { number: index + 1 })}
            placeholder="https://chat.example.com/#/?settings={key}"
            autoComplete="off"
            className="w-auto flex-1 font-mono text-[13px]"
            value={row.url}
            onChange={(event) => set(index, { ...row, url: event.target.value })}
          />
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label={t("移除第 {{number}} 个链接", { number: index + 1 })}
            onClick={() => onChange(rows.filter((_, at) => at !== index))}
          >
            <Trash2 />
          </Button>
        </div>
      ))}
      <Button variant="outline" className="self-start" onClick={() => onChange([...rows, { name: "", url: "" }])}>
        <Plus />
        {t("添加链接")}
      </Button>
    </div>
  );
}

/** The chat clients in the sidebar. */
export function ChatSettings({ values }: { readonly values: OptionValues }) {
  const { t } = useTranslation();
  const section = useSettingsSection({ values, rules: CHAT_FIELDS });
  const [view, setView] = useState("table");
  const rows = chatRows(section.valueOf("Chats"));
  const isHalf = section.changed.length > 0 && rows?.some(({ name, url }) => name.trim() === "" || url.trim() === "");
  return (
    <SectionCard
      id="chats"
      title={t("聊天链接")}
      description={t("侧边栏里的聊天客户端。地址里的 {key} 和 {address} 会换成用户的令牌和本站的地址。")}
      section={section}
      isWrong={isHalf === true}
    >
      <Tabs value={view} onValueChange={setView} className="flex flex-col gap-3">
        <TabsList aria-label={t("编辑方式")}>
          <TabsTrigger value="table">{t("表格")}</TabsTrigger>
          <TabsTrigger value="json">JSON</TabsTrigger>
        </TabsList>
        <TabsContent value="table">
          {rows ? (
            <ChatTable rows={rows} onChange={(next) => section.set("Chats", chatOption(next))} />
          ) : (
            <p className="py-6 text-center text-destructive">{t("JSON 有错误，请先在 JSON 视图中修正。")}</p>
          )}
          {isHalf === true && (
            <p role="alert" className="mt-2 text-[13px] text-destructive">
              {t("每个链接都要有名称和地址。")}
            </p>
          )}
        </TabsContent>
        <TabsContent value="json">
          <JsonSetting section={section} field={CHATS} />
        </TabsContent>
      </Tabs>
    </SectionCard>
  );
}
