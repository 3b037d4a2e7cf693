import type { PriceBook } from "@turnpike/contract/api/prices/price-revisions";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ErrorState } from "../../../components/states.tsx";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import { priceBookQuery } from "./price-book-api.ts";

/** Renders a section once the price book is read. */
export function PriceBookGate({ children }: { readonly children: (book: PriceBook) => ReactNode }) {
  const book = useQuery(priceBookQuery);
  if (book.data) return children(book.data);
  if (book.isError) return <ErrorState error={book.error} onRetry={() => void book.refetch()} />;
  return <Skeleton className="h-64 w-full" />;
}
