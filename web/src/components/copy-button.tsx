import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { copyText } from "./copy-text.ts";
import { Button } from "./ui/button.tsx";

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

/** A small button that copies a text and confirms it. */
export function CopyButton({ value, label }: CopyButtonProps) {
  const { t } = useTranslation();
  const [copied, copy] = useCopied();
  return (
    <Button
      variant="ghost"
      size="icon-sm"
      aria-label={label}
      title={label}
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
  );
}
