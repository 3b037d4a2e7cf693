import { usePatchSearch } from "../../components/data-table/use-list-search.ts";
import { storage } from "../../lib/storage.ts";

type Search = { readonly sort?: "id" | "priority" | undefined; readonly view?: "tags" | "list" | undefined };

const SORT_KEY = "channels-sort";
const VIEW_KEY = "channels-view";

/** The list's sorting and grouping by tag: from the address, else as stored by this browser. */
export function useListView({ sort, view }: Search) {
  const patch = usePatchSearch<Search>();
  const requestedSort = sort ?? (storage.read(SORT_KEY) === "id" ? "id" : "priority");
  const requestedView = view ?? (storage.read(VIEW_KEY) === "tags" ? "tags" : "list");
  return {
    sort: requestedSort,
    byTag: requestedView === "tags",
    setSort: (next: string): void => {
      const chosen = next === "id" ? "id" : "priority";
      storage.write(SORT_KEY, chosen);
      patch({ sort: chosen });
    },
    setByTag: (on: boolean): void => {
      const chosen = on ? "tags" : "list";
      storage.write(VIEW_KEY, chosen);
      patch({ view: chosen });
    },
  } as const;
}
