import { lazy, Suspense } from "react";

const SiteText = lazy(async () => ({ default: (await import("../../components/site-text/site-text.tsx")).SiteText }));

/** The operator's footer for every page. */
export function SiteFooter({ source }: { readonly source: string }) {
  return (
    <footer className="mt-8 border-t pt-4 text-center text-[13px] text-muted-foreground">
      <Suspense>
        <SiteText source={source} />
      </Suspense>
    </footer>
  );
}
