import type { LogDetails } from "@turnpike/contract/api/log";
import { useTranslation } from "react-i18next";
import { CopyButton } from "../../components/copy-button.tsx";
import { text } from "../../lib/text/i18n-source.ts";
import { ScrollArea } from "../../components/ui/scroll-area.tsx";

const PARTS = [
  { name: "system_prompt", label: text("系统提示词") },
  { name: "context", label: text("上文") },
  { name: "input_content", label: text("提问") },
  { name: "output_content", label: text("回答") },
] as const;

/** A message content as text: texts unchanged, all other values formatted. */
const readable = (content: unknown): string =>
  typeof content === "string" ? content : JSON.stringify(content, undefined, 2);

const NOTHING: readonly unknown[] = [undefined, null, "", "[]"];
const isThere = (content: unknown): boolean => !NOTHING.includes(content);

/** Prompt and response, where the site stores them. */
export function LogContents({ details }: { readonly details: LogDetails }) {
  const { t } = useTranslation();
  const parts = PARTS.filter(({ name }) => isThere(details[name]));
  if (parts.length === 0) return null;
  return (
    <section className="flex max-w-4xl flex-col gap-2">
      <h2 className="text-xs font-medium text-muted-foreground">{t("对话内容")}</h2>
      {parts.map(({ name, label }) => {
        const content = readable(details[name]);
        return (
          <details key={name} className="rounded-lg border" open={name === "output_content"}>
            <summary className="px-3 py-1.5 text-[13px] font-medium">{t(label)}</summary>
            <div className="relative border-t">
              <ScrollArea className="max-h-80" role="region" aria-label={t(label)}>
                <pre className="p-3 pr-10 font-mono text-xs break-words whitespace-pre-wrap" lang="und">
                  {content}
                </pre>
              </ScrollArea>
              <div className="absolute top-1.5 right-1.5">
                <CopyButton value={content} label={t("复制内容")} />
              </div>
            </div>
          </details>
        );
      })}
    </section>
  );
}
