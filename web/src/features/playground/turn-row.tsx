import { Pencil, RotateCcw, Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { CopyButton } from "../../components/copy-button.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Textarea } from "../../components/ui/textarea.tsx";
import { cn } from "../../lib/utils.ts";
import type { Turn } from "./conversation.ts";
import { CallCost } from "../../domain/logs/call-cost.tsx";
import type { Conversation } from "./use-conversation.ts";

const ResponseText = lazy(async () => ({ default: (await import("./response-text.tsx")).ResponseText }));

function ReasoningPanel({ turn }: { readonly turn: Turn }) {
  const { t } = useTranslation();
  if (turn.reasoning === "") return null;
  return (
    <details className="mb-2 rounded-lg border bg-muted/50 px-3 py-2 text-[13px] text-muted-foreground">
      <summary className="cursor-pointer select-none">{t("思考过程")}</summary>
      <div className="mt-2 whitespace-pre-wrap">{turn.reasoning}</div>
    </details>
  );
}

function Reply({ turn }: { readonly turn: Turn }) {
  const { t } = useTranslation();
  if (turn.state === "error")
    return (
      <div role="alert" className="whitespace-pre-wrap text-destructive">
        {turn.content}
      </div>
    );
  return (
    <>
      <ReasoningPanel turn={turn} />
      {turn.state === "loading" ? (
        <span className="inline-flex gap-1 py-1.5" role="status" aria-label={t("正在等待回答")}>
          {[0, 150, 300].map((delayMs) => (
            <span
              key={delayMs}
              className="size-1.5 animate-pulse rounded-full bg-muted-foreground"
              style={{ animationDelay: `${delayMs}ms` }}
            />
          ))}
        </span>
      ) : (
        <Suspense fallback={<div className="whitespace-pre-wrap">{turn.content}</div>}>
          <ResponseText source={turn.content} />
        </Suspense>
      )}
    </>
  );
}

type EditorProps = { readonly turn: Turn; readonly onSave: (text: string) => void; readonly onCancel: () => void };

function TurnEditor({ turn, onSave, onCancel }: EditorProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(turn.content);
  return (
    <div className="flex flex-col gap-2">
      <Textarea
        aria-label={t("消息内容")}
        autoFocus
        rows={4}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
      />
      <div className="flex justify-end gap-2">
        <Button variant="outline" size="sm" onClick={onCancel}>
          {t("取消")}
        </Button>
        <Button size="sm" disabled={draft.trim() === ""} onClick={() => onSave(draft)}>
          {t("保存")}
        </Button>
      </div>
    </div>
  );
}

type TurnRowProps = { readonly turn: Turn; readonly conversation: Conversation };

function TurnActions({ turn, conversation, onEdit }: TurnRowProps & { readonly onEdit: () => void }) {
  const { t } = useTranslation();
  const icon = "text-muted-foreground";
  const act = (label: string, Icon: typeof Pencil, run: () => void) => (
    <Button variant="ghost" size="icon-sm" aria-label={label} title={label} onClick={run}>
      <Icon className={icon} />
    </Button>
  );
  return (
    <div className="flex gap-0.5 transition-opacity [@media(hover:hover)]:opacity-0 group-focus-within:opacity-100 group-hover:opacity-100">
      <CopyButton value={turn.content} label={t("复制消息")} />
      {act(t("重新回答"), RotateCcw, () => conversation.retry(turn.id))}
      {act(t("修改这条消息"), Pencil, onEdit)}
      {act(t("删除消息"), Trash2, () => conversation.remove(turn.id))}
    </div>
  );
}

/** One turn, with its actions once it is complete. */
export function TurnRow({ turn, conversation }: TurnRowProps) {
  const { t } = useTranslation();
  const [isEditing, setEditing] = useState(false);
  const isMine = turn.role === "user";
  const isOpen = turn.state === "loading" || turn.state === "incomplete";
  const save = (text: string): void => {
    conversation.edit(turn.id, text);
    setEditing(false);
  };
  return (
    <li className={cn("group flex flex-col gap-1", isMine ? "items-end" : "items-start")}>
      <span className="sr-only">{isMine ? t("我") : t("模型")}</span>
      <div
        className={cn(
          "max-w-full min-w-0 rounded-xl text-sm wrap-anywhere",
          isMine ? "max-w-[85%] bg-selected px-3.5 py-2.5" : "w-full",
          isEditing && "w-full max-w-full",
        )}
      >
        {isEditing ? (
          <TurnEditor turn={turn} onSave={save} onCancel={() => setEditing(false)} />
        ) : isMine ? (
          <div className="whitespace-pre-wrap">{turn.content}</div>
        ) : (
          <Reply turn={turn} />
        )}
      </div>
      {turn.requestId !== undefined && !isEditing && <CallCost requestId={turn.requestId} />}
      {!isOpen && !isEditing && <TurnActions turn={turn} conversation={conversation} onEdit={() => setEditing(true)} />}
    </li>
  );
}
