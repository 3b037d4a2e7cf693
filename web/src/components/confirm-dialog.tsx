import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type Question, useConfirm } from "./confirm.ts";
import {
  AlertDialog,
  AlertDialogAction,
  AlertDialogCancel,
  AlertDialogContent,
  AlertDialogDescription,
  AlertDialogTitle,
} from "./ui/alert-dialog.tsx";
import { Button } from "./ui/button.tsx";
import { Input } from "./ui/input.tsx";

function ConfirmBody({ question, answer }: { readonly question: Question; readonly answer: (yes: boolean) => void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState("");
  const blocked = question.typed !== undefined && typed.trim() !== question.typed;
  return (
    <AlertDialogContent>
      <AlertDialogTitle>{question.title}</AlertDialogTitle>
      <AlertDialogDescription asChild>
        <div>{question.description ?? t("此操作无法撤销。")}</div>
      </AlertDialogDescription>
      {question.typed !== undefined && (
        <label className="flex flex-col gap-1.5 text-sm">
          {t("请输入 {{text}} 以确认", { text: question.typed })}
          <Input value={typed} onChange={(event) => setTyped(event.target.value)} autoComplete="off" />
        </label>
      )}
      <div className="mt-2 flex justify-end gap-2">
        <AlertDialogCancel asChild>
          <Button>{t("取消")}</Button>
        </AlertDialogCancel>
        <AlertDialogAction asChild>
          <Button
            variant={question.danger === true ? "danger" : "primary"}
            disabled={blocked}
            onClick={() => answer(true)}
          >
            {question.action}
          </Button>
        </AlertDialogAction>
      </div>
    </AlertDialogContent>
  );
}

/** Shows the question that `confirm` asks. Loaded with the first question. */
export function ConfirmDialog() {
  const { question, answer } = useConfirm();
  return (
    <AlertDialog open={question !== undefined} onOpenChange={(open) => !open && answer(false)}>
      {question && <ConfirmBody question={question} answer={answer} />}
    </AlertDialog>
  );
}
