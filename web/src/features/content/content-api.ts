import { queryOptions } from "@tanstack/react-query";
import { z } from "zod/mini";
import { api } from "../../lib/api/api-client.ts";

const STALE_MS = 5 * 60_000;

const contentQuery = (name: "home" | "about" | "notice", path: string) =>
  queryOptions({
    queryKey: ["site-content", name],
    queryFn: ({ signal }) => api.get(path, { schema: z.string(), signal }),
    staleTime: STALE_MS,
  });

/** The operator's home page; "" when there is none. */
export const homeQuery = contentQuery("home", "/api/home_page_content");
/** The operator's about text; "" when there is none. */
export const aboutQuery = contentQuery("about", "/api/about");
/** The operator's notice; "" when there is none. */
export const noticeQuery = contentQuery("notice", "/api/notice");
