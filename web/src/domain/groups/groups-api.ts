import { queryOptions } from "@tanstack/react-query";
import { isNameList } from "../../lib/api-schemas.ts";
import { api } from "../../lib/api-client.ts";

/** The groups that have a ratio. */
export const groupNamesQuery = queryOptions({
  queryKey: ["group-names"],
  queryFn: ({ signal }) => api.get("/api/group/", { fits: isNameList, signal }),
  staleTime: 60_000,
});
