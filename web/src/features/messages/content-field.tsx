import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Field } from "../../components/form/field.tsx";
import { ErrorState } from "../../components/states.tsx";
import { Textarea } from "../../components/ui/textarea.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../components/ui/tabs.tsx";
import type { MessageValues } from "./message-form.ts";
import { previewQuery } from "./messages-api.ts";

const RichText = lazy(async () => ({ default: (await import("../../components/rich-text/rich-text.tsx")).RichText }));

function Preview({ content, format }: Pick<MessageValues, "content" | "format">) {
  const { t } = useTranslation();
  const preview = useQuery({ ...previewQuery(content, format), enabled: content.trim() !== "" });
  if (content.trim() === "") return <p className="text-muted-foreground">{t("还没有内容。")}</p>;
  if (preview.isError) return <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />;
  if (preview.data === undefined) return <Skeleton className="h-24 w-full" />;
  return (
    <Suspense fallback={<Skeleton className="h-24 w-full" />}>
      <RichText html={preview.data} />
    </Suspense>
  );
}

/** A message's text, with a preview for its readers. */
export function ContentField({ form }: { readonly form: UseFormReturn<MessageValues> }) {
  const { t } = useTranslation();
  const [tab, setTab] = useState("write");
  const [content, format] = form.watch(["content", "format"]);
  return (
    <Tabs value={tab} onValueChange={setTab} className="flex flex-col gap-2">
      <TabsList aria-label={t("内容")}>
        <TabsTrigger value="write">{t("编辑")}</TabsTrigger>
        <TabsTrigger value="preview">{t("预览")}</TabsTrigger>
      </TabsList>
      <TabsContent value="write" tabIndex={-1}>
        <Field
          label={t("内容")}
          required
          error={form.formState.errors.content}
          help={
            format === "html"
              ? t("脚本、样式和表单会被去掉。")
              : t("支持标题、列表、链接、表格和代码，其中的 HTML 按原文显示。")
          }
        >
          {(control) => (
            <Textarea {...control} rows={10} className="font-mono text-[13px]" {...form.register("content")} />
          )}
        </Field>
      </TabsContent>
      <TabsContent value="preview" className="min-h-40 rounded-lg border p-3">
        <Preview content={content} format={format} />
      </TabsContent>
    </Tabs>
  );
}
