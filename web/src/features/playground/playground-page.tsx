import { MessageSquareText, SlidersHorizontal } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { PageHeader } from "../../components/page-header.tsx";
import { Button } from "../../components/ui/button.tsx";
import { useIsNarrow } from "../../hooks/use-media.ts";
import { Composer } from "./composer.tsx";
import { loadSettings, type PlaygroundSettings, storeSettings } from "./playground-settings.ts";
import { SettingsPanel } from "./settings-panel.tsx";
import { TurnRow } from "./turn-row.tsx";
import { type Conversation, useConversation } from "./use-conversation.ts";

const NEAR_END_PIXELS = 80;

function usePlaygroundSettings() {
  const [settings, setSettings] = useState(loadSettings);
  const change = (part: Partial<PlaygroundSettings>): void => {
    const next = { ...settings, ...part };
    setSettings(next);
    storeSettings(next);
  };
  return [settings, change] as const;
}

/** Scrolls to the newest text, unless the user has scrolled up; sending scrolls down again. */
function Turns({ conversation }: { readonly conversation: Conversation }) {
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const newest = useRef(0);
  const { turns } = conversation;
  useEffect(() => {
    const latest = turns.at(-1)?.id ?? 0;
    if (latest > newest.current) {
      newest.current = latest;
      follows.current = true;
    }
    if (follows.current) box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [turns]);
  return (
    <div
      ref={box}
      className="min-h-0 flex-1 overflow-y-auto px-4 py-5"
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        follows.current = scrollHeight - scrollTop - clientHeight < NEAR_END_PIXELS;
      }}
    >
      {turns.length === 0 ? (
        <div className="flex h-full flex-col items-center justify-center gap-2 text-center text-muted-foreground">
          <MessageSquareText className="size-8" aria-hidden />
          <p className="text-sm">{t("选择模型，发一条消息试试。费用从您的余额中扣除。")}</p>
        </div>
      ) : (
        <ul className="mx-auto flex max-w-3xl flex-col gap-5">
          {turns.map((turn) => (
            <TurnRow key={turn.id} turn={turn} conversation={conversation} />
          ))}
        </ul>
      )}
    </div>
  );
}

/** Lets users try models with their own balance, without a key. */
export function PlaygroundPage() {
  const { t } = useTranslation();
  const [settings, change] = usePlaygroundSettings();
  const systemPrompt = settings.systemPrompt ?? t("你是一位乐于助人的助手。");
  const conversation = useConversation(settings, systemPrompt);
  const isNarrow = useIsNarrow();
  const panel = <SettingsPanel settings={settings} systemPrompt={systemPrompt} onChange={change} />;
  return (
    <section className="flex h-[calc(100dvh-6.5rem)] min-h-[30rem] flex-col gap-4">
      <PageHeader
        title={t("操练场")}
        actions={
          <Button variant="outline" disabled={conversation.turns.length === 0} onClick={conversation.clear}>
            {t("清空对话")}
          </Button>
        }
      />
      {isNarrow && (
        <details className="rounded-xl border bg-card">
          <summary className="flex cursor-pointer items-center gap-2 px-4 py-2.5 text-sm font-medium select-none">
            <SlidersHorizontal className="size-4" aria-hidden />
            <span className="shrink-0">{t("模型与参数")}</span>
            <span className="min-w-0 truncate text-muted-foreground">{settings.model}</span>
          </summary>
          <div className="max-h-[50dvh] overflow-y-auto border-t p-4">{panel}</div>
        </details>
      )}
      <div className="flex min-h-0 flex-1 gap-4">
        {!isNarrow && <aside className="w-72 shrink-0 overflow-y-auto rounded-xl border bg-card p-4">{panel}</aside>}
        <div className="flex min-w-0 flex-1 flex-col rounded-xl border bg-card">
          <Turns conversation={conversation} />
          <Composer isBusy={conversation.isBusy} onSend={conversation.send} onStop={conversation.stop} />
        </div>
      </div>
    </section>
  );
}
