import { useNavigate } from "@tanstack/react-router";
import { useCallback } from "react";
import { wholeSearch } from "../../lib/text/search.ts";
import { rememberedPageSize } from "./page-size.ts";

/** The search parameters of every table: the page (from 1) and its size. Invalid values read as absent. */
export const listSearch = {
  page: wholeSearch(1),
  size: wholeSearch(1, 100),
};

type Blank<Search> = { readonly [Key in keyof Search]?: Search[Key] | undefined };

/** The page in the address, with defaults. */
export const toPage = (search: { page?: number | undefined; size?: number | undefined }) => ({
  page: search.page ?? 1,
  pageSize: search.size ?? rememberedPageSize(),
});

const withoutBlanks = (search: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value !== ""));

/** Changes some search parameters and keeps the others; a new filter starts at page 1. */
export function usePatchSearch<Search extends object>(): (patch: Blank<Search>) => void {
  const navigate = useNavigate();
  return useCallback(
    (patch: Blank<Search>) => {
      void navigate({
        to: ".",
        // The router types search by route; this hook serves every list and lets the route's schema check the result.
        search: ((previous: Record<string, unknown>) =>
          withoutBlanks({ ...previous, page: undefined, ...patch })) as never,
        replace: false,
      });
    },
    [navigate],
  );
}
