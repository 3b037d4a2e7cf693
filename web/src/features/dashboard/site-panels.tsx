import { useQuery } from "@tanstack/react-query";
import { ErrorState } from "../../components/states.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { HealthPanel } from "./health/health-panel.tsx";
import { MarginPanel } from "./margin-panel.tsx";
import { overviewQuery } from "./overview-api.ts";
import { TopTables } from "./top-tables.tsx";
import type { Granularity } from "./usage/usage-series.ts";

type SitePanelsProps = { readonly startSeconds: number; readonly endSeconds: number; readonly by: Granularity };

/** Panels for administrators: top users, top channels and latency. Loaded with the view of the whole site. */
export function SitePanels({ startSeconds, endSeconds, by }: SitePanelsProps) {
  const overview = useQuery(overviewQuery(startSeconds, endSeconds));
  const previous = useQuery({
    ...overviewQuery(startSeconds - (endSeconds - startSeconds), startSeconds),
    // Past hours do not change any more.
    refetchInterval: false,
  });
  if (overview.isPending) return <Skeleton className="h-96 w-full" />;
  if (!overview.data) return <ErrorState error={overview.error} onRetry={() => void overview.refetch()} />;
  return (
    <>
      <HealthPanel
        overview={overview.data}
        previous={previous.isPlaceholderData ? undefined : previous.data}
        startSeconds={startSeconds}
        endSeconds={endSeconds}
        by={by}
      />
      <TopTables overview={overview.data} endSeconds={endSeconds} />
      <MarginPanel startSeconds={startSeconds} endSeconds={endSeconds} />
    </>
  );
}
