import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { create } from "zustand";
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

type Question = {
  readonly title: string;
  readonly description?: ReactNode;
  readonly action: string;
  readonly danger?: boolean;
  /** What must be typed before the action can be taken. */
  readonly typed?: string;
};

type ConfirmState = {
  readonly question: Question | undefined;
  readonly answer: (yes: boolean) => void;
};

const useConfirm = create<ConfirmState>(() => ({ question: undefined, answer: () => {} }));

/** Asks before something that cannot be taken back; true when the person went ahead. Name the thing in the title. */
export function confirm(question: Question): Promise<boolean> {
  return new Promise((resolve) => {
    useConfirm.setState({
      question,
      answer: (yes) => {
        useConfirm.setState({ question: undefined, answer: () => {} });
        resolve(yes);
      },
    });
  });
}

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

/** Shows the question that `confirm` asks. Mounted once. */
export function ConfirmDialog() {
  const { question, answer } = useConfirm();
  return (
    <AlertDialog open={question !== undefined} onOpenChange={(open) => !open && answer(false)}>
      {question && <ConfirmBody question={question} answer={answer} />}
    </AlertDialog>
  );
}
