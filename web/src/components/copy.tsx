import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { create } from "zustand";
import { Button } from "./ui/button.tsx";
import { Dialog, DialogContent, DialogDescription, DialogTitle } from "./ui/dialog.tsx";
import { Textarea } from "./ui/input.tsx";
import { Hint } from "./ui/tooltip.tsx";

const useManualCopy = create<{
  readonly value: string | undefined;
  readonly show: (value: string | undefined) => void;
}>((set) => ({ value: undefined, show: (value) => set({ value }) }));

/** Puts text on the clipboard; where the browser forbids that, shows it to be copied by hand. Answers whether it was copied. */
export async function copyText(value: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(value);
    return true;
  } catch {
    useManualCopy.getState().show(value);
    return false;
  }
}

const CONFIRM_MS = 1500;

function useCopied(): [boolean, (value: string) => void] {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), CONFIRM_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  return [copied, (value) => void copyText(value).then(setCopied)];
}

type CopyButtonProps = { readonly value: string; readonly label: string };

/** A small button that copies and confirms it. */
export function CopyButton({ value, label }: CopyButtonProps) {
  const { t } = useTranslation();
  const [copied, copy] = useCopied();
  return (
    <Hint text={copied ? t("已复制") : label}>
      <Button
        variant="ghost"
        size="iconSmall"
        aria-label={label}
        onClick={(event) => {
          event.stopPropagation();
          copy(value);
        }}
      >
        {copied ? <Check className="text-good" /> : <Copy className="text-muted-foreground" />}
        <span className="sr-only" aria-live="polite">
          {copied ? t("已复制") : ""}
        </span>
      </Button>
    </Hint>
  );
}

/** Shows what `copyText` could not copy. Mounted once. */
export function ManualCopyDialog() {
  const { t } = useTranslation();
  const { value, show } = useManualCopy();
  return (
    <Dialog open={value !== undefined} onOpenChange={(open) => !open && show(undefined)}>
      <DialogContent>
        <DialogTitle>{t("无法复制到剪贴板，请手动复制")}</DialogTitle>
        <DialogDescription>{t("浏览器不允许本页面写入剪贴板。")}</DialogDescription>
        <Textarea
          readOnly
          rows={6}
          className="font-mono text-[13px]"
          value={value ?? ""}
          aria-label={t("要复制的内容")}
          onFocus={(event) => event.currentTarget.select()}
        />
      </DialogContent>
    </Dialog>
  );
}
