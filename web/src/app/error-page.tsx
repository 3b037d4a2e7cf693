import { Link, useRouter, type ErrorComponentProps } from "@tanstack/react-router";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { ErrorState } from "../components/states.tsx";
import { Button } from "../components/ui/button.tsx";
import { ApiError, describeError } from "../lib/api/api-error.ts";

const RETRY_MS = 3_000;

/** The page for a page that failed, or for an unreachable gateway; the latter retries by itself. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation();
  const router = useRouter();
  const again = (): void => {
    reset();
    void router.invalidate();
  };
  const isConnection = error instanceof ApiError;
  useEffect(() => {
    if (!isConnection) return;
    const timer = setInterval(() => void router.invalidate(), RETRY_MS);
    return () => clearInterval(timer);
  }, [isConnection, router]);
  return (
    <div className="mx-auto max-w-lg">
      <title>{describeError(error, t)}</title>
      <ErrorState error={error} onRetry={again} />
    </div>
  );
}

/** The page for an unknown address. */
export function NotFoundPage() {
  const { t } = useTranslation();
  return (
    <div className="flex flex-col items-center gap-3 px-4 py-24 text-center">
      <title>{t("页面不存在")}</title>
      <p className="font-mono text-3xl text-muted-foreground">404</p>
      <h1 className="text-lg font-semibold">{t("页面不存在")}</h1>
      <p className="text-muted-foreground">{t("请检查浏览器地址是否正确。")}</p>
      <Button variant="outline" asChild>
        <Link to="/">{t("回到首页")}</Link>
      </Button>
    </div>
  );
}
