import { GroupMoveResult } from "@turnpike/contract/api/group";
import { NameList } from "@turnpike/contract/api/user";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../lib/api/api-client.ts";

/** The groups that have a ratio. */
export const groupNamesQuery = queryOptions({
  queryKey: ["group-names"],
  queryFn: ({ signal }) => api.get("/api/group/", { schema: NameList, signal }),
  staleTime: 60_000,
});

/** Moves all users, tokens and channels of a group to another one, step by step. */
export async function moveGroup(from: string, to: string): Promise<void> {
  for (;;) {
    const step = await api.post("/api/group/move", { body: { from, to }, schema: GroupMoveResult, timeoutMs: 60_000 });
    if (step.left === 0 || step.users + step.tokens + step.channels === 0) return;
  }
}
