import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type Question, useConfirm } from "./confirm.ts";
import {
  AlertDialog,
  AlertDialogAction,
  AlertDialogCancel,
  AlertDialogContent,
  AlertDialogDescription,
  AlertDialogFooter,
  AlertDialogHeader,
  AlertDialogTitle,
} from "./ui/alert-dialog.tsx";
import { Input } from "./ui/input.tsx";

function ConfirmBody({ question, decide }: { readonly question: Question; readonly decide: (yes: boolean) => void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState("");
  const blocked = question.typed !== undefined && typed.trim() !== question.typed;
  return (
    <AlertDialogContent>
      <AlertDialogHeader>
        <AlertDialogTitle>{question.title}</AlertDialogTitle>
        <AlertDialogDescription asChild>
          <div>{question.description ?? t("此操作无法撤销。")}</div>
        </AlertDialogDescription>
      </AlertDialogHeader>
      {question.typed !== undefined && (
        <label className="flex flex-col gap-1.5 text-sm">
          {t("请输入 {{text}} 以确认", { text: question.typed })}
          <Input value={typed} onChange={(event) => setTyped(event.target.value)} autoComplete="off" />
        </label>
      )}
      <AlertDialogFooter>
        <AlertDialogCancel>{t("取消")}</AlertDialogCancel>
        <AlertDialogAction
          variant={question.danger === true ? "destructive" : "default"}
          disabled={blocked}
          onClick={() => decide(true)}
        >
          {question.action}
        </AlertDialogAction>
      </AlertDialogFooter>
    </AlertDialogContent>
  );
}

/** Shows the question of `confirm`. Loaded with the first question. */
export function ConfirmDialog() {
  const { question, decide } = useConfirm();
  return (
    <AlertDialog open={question !== undefined} onOpenChange={(open) => !open && decide(false)}>
      {question && <ConfirmBody question={question} decide={decide} />}
    </AlertDialog>
  );
}
