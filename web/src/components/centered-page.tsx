import type { ReactNode } from "react";
import { LanguageButton, ThemeButton } from "./preference-buttons.tsx";
import { Logo } from "./logo.tsx";

type CenteredPageProps = { readonly title: string; readonly description?: string; readonly children: ReactNode };

/** A page outside the shell with one thing to do: sign-in, setup. */
export function CenteredPage({ title, description, children }: CenteredPageProps) {
  return (
    <div className="flex h-full flex-col overflow-y-auto bg-surface">
      <title>{title}</title>
      <header className="flex h-14 shrink-0 items-center justify-between px-4">
        <Logo />
        <div className="flex">
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
