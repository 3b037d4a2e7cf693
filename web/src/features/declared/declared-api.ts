import { DeclaredState } from "@turnpike/contract/api/declared";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../lib/api/api-client.ts";

const LOOK_MS = 3_000;

/** What the declared configuration manages, and how the site differs from it. */
export const declaredQuery = queryOptions({
  queryKey: ["declared"],
  queryFn: ({ signal }) => api.get("/api/declared/report", { schema: DeclaredState, signal }),
  refetchInterval: LOOK_MS,
});
