import type { ReactNode } from "react";
import { useSiteStatus } from "../lib/status.ts";

type PageHeaderProps = { readonly title: string; readonly description?: string; readonly actions?: ReactNode };

/** Title (also the tab's), one line about the page's purpose, and its main action at the right. */
export function PageHeader({ title, description, actions }: PageHeaderProps) {
  const status = useSiteStatus();
  return (
    <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <title>{`${title} · ${status?.system_name ?? "Turnpike"}`}</title>
      <div className="min-w-0">
        <h1 className="text-lg font-semibold">{title}</h1>
        {description !== undefined && <p className="text-[13px] text-muted-foreground">{description}</p>}
      </div>
      {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
    </header>
  );
}
