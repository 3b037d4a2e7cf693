import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useSiteStatus } from "../lib/status.ts";
import { LanguageButton, ThemeButton } from "./preference-buttons.tsx";
import { Logo } from "./logo.tsx";

type CenteredPageProps = { readonly title: string; readonly description?: string; readonly children: ReactNode };

/** A page outside the shell for a single task: sign-in, setup. */
export function CenteredPage({ title, description, children }: CenteredPageProps) {
  const { t } = useTranslation();
  const hasPublicStatus = useSiteStatus()?.public_status === true;
  return (
    <div className="flex h-full flex-col overflow-y-auto bg-surface">
      <title>{title}</title>
      <header className="flex h-14 shrink-0 items-center justify-between px-4">
        <Logo />
        <div className="flex items-center">
          {hasPublicStatus && (
            <Link
              to="/status"
              className="rounded-md px-2.5 py-1.5 text-[13px] whitespace-nowrap text-muted-foreground hover:text-foreground"
            >
              {t("模型状态")}
            </Link>
          )}
          <ThemeButton />
          <LanguageButton />
        </div>
      </header>
      <main className="m-auto flex w-full max-w-md flex-col gap-4 px-4 py-8">
        <div className="flex flex-col gap-4 rounded-lg border bg-background p-6">
          <div>
            <h1 className="text-lg font-semibold">{title}</h1>
            {description !== undefined && <p className="mt-1 text-[13px] text-muted-foreground">{description}</p>}
          </div>
          {children}
        </div>
      </main>
    </div>
  );
}
