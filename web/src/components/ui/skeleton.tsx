import { cn } from "../../lib/cn.ts";

export function Skeleton({ className }: { readonly className?: string }) {
  return <span className={cn("block animate-pulse rounded-md bg-muted", className)} aria-hidden />;
}
