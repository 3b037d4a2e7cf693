import { RotateCw, SearchX, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { describeError, getRequestId } from "../lib/api-error.ts";
import { CopyButton } from "./copy-button.tsx";
import { Button } from "./ui/button.tsx";

type ErrorStateProps = { readonly error: unknown; readonly onRetry: () => void };

/** What happened, the id to report it by, and another try. */
export function ErrorState({ error, onRetry }: ErrorStateProps) {
  const { t } = useTranslation();
  const requestId = getRequestId(error);
  return (
    <div role="alert" className="flex flex-col items-center gap-2 px-4 py-12 text-center">
      <TriangleAlert className="size-5 text-destructive" aria-hidden />
      <p>{describeError(error, t)}</p>
      {requestId !== undefined && (
        <p className="flex items-center gap-1 text-[13px] text-muted-foreground">
          {t("请求 ID")} <code className="font-mono">{requestId}</code>
          <CopyButton value={requestId} label={t("复制请求 ID")} />
        </p>
      )}
      <Button variant="outline" size="sm" onClick={onRetry}>
        <RotateCw />
        {t("重试")}
      </Button>
    </div>
  );
}

type EmptyStateProps = { readonly text: string; readonly action?: ReactNode };

/** One sentence and the action that fills the emptiness. */
export function EmptyState({ text, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-3 px-4 py-12 text-center">
      <p className="text-muted-foreground">{text}</p>
      {action}
    </div>
  );
}

/** Filters that match nothing, with the way out. */
export function NoMatches({ onClear }: { readonly onClear: () => void }) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-col items-center gap-3 px-4 py-12 text-center">
      <SearchX className="size-5 text-muted-foreground" aria-hidden />
      <p className="text-muted-foreground">{t("没有符合筛选条件的记录。")}</p>
      <Button variant="outline" size="sm" onClick={onClear}>
        {t("清除筛选")}
      </Button>
    </div>
  );
}
