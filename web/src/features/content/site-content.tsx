import { lazy, Suspense } from "react";
import { FramedPage } from "../../components/site-text/framed-page.tsx";
import { getFrameAddress } from "../../components/site-text/framed-address.ts";
import { Skeleton } from "../../components/ui/skeleton.tsx";

const SiteText = lazy(async () => ({ default: (await import("../../components/site-text/site-text.tsx")).SiteText }));

type SiteContentProps = { readonly source: string; readonly title: string };

/** A page of the operator: a text, or another site's page in a full-size frame. */
export function SiteContent({ source, title }: SiteContentProps) {
  const address = getFrameAddress(source);
  if (address !== undefined) {
    return (
      <div className="relative -m-4 h-[calc(100%+2rem)] min-h-[70dvh] sm:-m-6 sm:h-[calc(100%+3rem)]">
        <FramedPage address={address} title={title} />
      </div>
    );
  }
  return (
    <div className="mx-auto w-full max-w-4xl">
      <Suspense fallback={<Skeleton className="h-64 w-full" />}>
        <SiteText source={source} />
      </Suspense>
    </div>
  );
}
