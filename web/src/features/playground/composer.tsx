import { ArrowUp, Square } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/ui/button.tsx";
import { Textarea } from "../../components/ui/textarea.tsx";

type ComposerProps = {
  readonly isBusy: boolean;
  readonly onSend: (text: string) => void;
  readonly onStop: () => void;
};

/** The input for questions. Enter sends, Shift+Enter starts a new line. */
export function Composer({ isBusy, onSend, onStop }: ComposerProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState("");
  const send = (): void => {
    if (isBusy || draft.trim() === "") return;
    onSend(draft.trim());
    setDraft("");
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <div className="flex items-end gap-2 border-t p-3">
      <Textarea
        aria-label={t("输入消息")}
        placeholder={t("输入消息，按 Enter 发送，按 Shift + Enter 换行")}
        rows={2}
        className="max-h-48 min-h-14 resize-none field-sizing-content"
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {isBusy ? (
        <Button variant="outline" size="icon" aria-label={t("停止回答")} title={t("停止回答")} onClick={onStop}>
          <Square className="fill-current" />
        </Button>
      ) : (
        <Button
          size="icon"

          aria-label={t("发送")}
          title={t("发送")}
          disabled={draft.trim() === ""}
          onClick={send}
        >
          <ArrowUp />
        </Button>
      )}
    </div>
  );
}
