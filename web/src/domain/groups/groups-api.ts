import { NameList } from "@turnpike/contract/api/user";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../lib/api-client.ts";

/** The groups that have a ratio. */
export const groupNamesQuery = queryOptions({
  queryKey: ["group-names"],
  queryFn: ({ signal }) => api.get("/api/group/", { schema: NameList, signal }),
  staleTime: 60_000,
});
