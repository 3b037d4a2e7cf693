import { useQuery } from "@tanstack/react-query";
import { ErrorState } from "../../components/states.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { HealthPanel } from "./health-panel.tsx";
import { overviewQuery } from "./overview-api.ts";
import { TopTables } from "./top-tables.tsx";
import type { Granularity } from "./usage-series.ts";

type SitePanelsProps = { readonly startSeconds: number; readonly endSeconds: number; readonly by: Granularity };

/** What only admins see: who and what used most, and how the site answered. Loaded with the whole site's view. */
export function SitePanels({ startSeconds, endSeconds, by }: SitePanelsProps) {
  const overview = useQuery(overviewQuery(startSeconds, endSeconds));
  if (overview.isPending) return <Skeleton className="h-96 w-full" />;
  if (!overview.data) return <ErrorState error={overview.error} onRetry={() => void overview.refetch()} />;
  return (
    <>
      <HealthPanel overview={overview.data} startSeconds={startSeconds} endSeconds={endSeconds} by={by} />
      <TopTables overview={overview.data} />
    </>
  );
}
