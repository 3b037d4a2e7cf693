import { queryOptions } from "@tanstack/react-query";
import { api } from "../../lib/api-client.ts";
import { isText } from "../../lib/check.ts";

const STALE_MS = 5 * 60_000;

const contentQuery = (name: "home" | "about" | "notice", path: string) =>
  queryOptions({
    queryKey: ["site-content", name],
    queryFn: ({ signal }) => api.get(path, { fits: isText, signal }),
    staleTime: STALE_MS,
  });

/** What the operator wrote for the home page; "" when nothing. */
export const homeQuery = contentQuery("home", "/api/home_page_content");
/** What the operator wrote about the site; "" when nothing. */
export const aboutQuery = contentQuery("about", "/api/about");
/** What the operator wants everybody to know; "" when nothing. */
export const noticeQuery = contentQuery("notice", "/api/notice");
