import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { z } from "zod/mini";
import { useSession } from "../../../lib/session/session.ts";
import { storage } from "../../../lib/storage.ts";

const View = z.object({
  name: z.string(),
  /** The address's search parameters: filters and order, without the page. */
  search: z.record(z.string(), z.unknown()),
  visibility: z.record(z.string(), z.boolean()),
  order: z.array(z.string()),
});
/** A named state of a list: filters, order and columns. */
export type SavedView = z.infer<typeof View>;
const Views = z.array(View);

export const VIEW_NAME_LENGTH_MAX = 40;

/** Parameters that are where a reader is, not what the list shows. */
const PLACE = new Set(["page"]);

/** The part of an address that a view keeps. */
export const toViewSearch = (search: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(search).filter(([name, value]) => !PLACE.has(name) && value !== undefined));

/** The views with one added; a view of the same name is replaced in its place. */
export const withView = (views: readonly SavedView[], view: SavedView): readonly SavedView[] =>
  views.some(({ name }) => name === view.name)
    ? views.map((one) => (one.name === view.name ? view : one))
    : [...views, view];

/** The views with one renamed; undefined where the name is empty or belongs to another view. */
export function withName(views: readonly SavedView[], from: string, to: string): readonly SavedView[] | undefined {
  if (to === "" || (to !== from && views.some(({ name }) => name === to))) return undefined;
  return views.map((view) => (view.name === from ? { ...view, name: to } : view));
}

/** The views of a list that this browser keeps for the signed-in user. */
export function useSavedViews(tableId: string) {
  const userId = useSession((state) => state.user?.id ?? 0);
  const key = `views:${userId}:${tableId}`;
  const [views, setViews] = useState<readonly SavedView[]>(() => storage.readJson(key, Views) ?? []);
  const navigate = useNavigate();
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  return {
    views,
    search: toViewSearch(search),
    store: (next: readonly SavedView[]): void => {
      storage.write(key, next.length === 0 ? undefined : JSON.stringify(next));
      setViews(next);
    },
    /** Shows the filters and the order of a view. The list's own route checks them. */
    open: (view: SavedView): void => void navigate({ to: ".", search: view.search as never }),
  };
}
