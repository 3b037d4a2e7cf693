import { Link } from "@tanstack/react-router";
import { RotateCw, SearchX, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { describeError, getRequestId } from "../lib/api/api-error.ts";
import { useIsAdmin } from "../lib/session/session.ts";
import { CopyButton } from "./copy-button.tsx";
import { Button } from "./ui/button.tsx";

/** A request id; for administrators a link to the rows of its call. */
function RequestIdText({ id }: { readonly id: string }) {
  const code = <code className="font-mono">{id}</code>;
  if (!useIsAdmin()) return code;
  return (
    <Link to="/app/logs/api-usage" search={{ request: id }} className="underline underline-offset-2">
      {code}
    </Link>
  );
}

type ErrorStateProps = { readonly error: unknown; readonly onRetry: () => void };

/** An error with its request id, and a retry button. */
export function ErrorState({ error, onRetry }: ErrorStateProps) {
  const { t } = useTranslation();
  const requestId = getRequestId(error);
  return (
    <div role="alert" className="flex flex-col items-center gap-2 px-4 py-12 text-center">
      <TriangleAlert className="size-5 text-destructive" aria-hidden />
      <p>{describeError(error, t)}</p>
      {requestId !== undefined && (
        <p className="flex items-center gap-1 text-[13px] text-muted-foreground">
          {t("请求 ID")} <RequestIdText id={requestId} />
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

/** The empty state: one sentence and the action that adds the first item. */
export function EmptyState({ text, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-3 px-4 py-12 text-center">
      <p className="text-muted-foreground">{text}</p>
      {action}
    </div>
  );
}

type NoMatchesProps = { readonly text?: string | undefined; readonly onClear: () => void };

/** The state for filters that match nothing, with a button that clears them. */
export function NoMatches({ text, onClear }: NoMatchesProps) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-col items-center gap-3 px-4 py-12 text-center">
      <SearchX className="size-5 text-muted-foreground" aria-hidden />
      <p className="text-muted-foreground">{text ?? t("没有符合筛选条件的记录。")}</p>
      <Button variant="outline" size="sm" onClick={onClear}>
        {t("清除筛选")}
      </Button>
    </div>
  );
}
