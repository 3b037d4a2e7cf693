import { AffTransferResult } from "@turnpike/contract/api/affiliate";
import { CheckInResult, CheckInStatus } from "@turnpike/contract/api/check-in";
import type { SelfDeleteBody, SelfUpdateBody } from "@turnpike/contract/api/self";
import { queryOptions } from "@tanstack/react-query";
import { z } from "zod/mini";
import { clearSession, selfQuery } from "../../lib/session/account.ts";
import { api } from "../../lib/api/api-client.ts";
import { queryClient } from "../../lib/api/query-client.ts";

/** Refetches the user. */
export const refreshSelf = (): Promise<void> => queryClient.invalidateQueries({ queryKey: selfQuery.queryKey });

export const updateSelf = async (body: SelfUpdateBody): Promise<void> => {
  await api.put("/api/user/self", { body, timeoutMs: 15_000 });
  await refreshSelf();
};

/** Deregisters the user; the typed name confirms it. */
export async function deleteSelf(body: SelfDeleteBody): Promise<void> {
  await api.delete("/api/user/self", { body });
  clearSession();
}

/** Whether today's reward is unclaimed. */
export const checkInQuery = queryOptions({
  queryKey: ["check-in"],
  queryFn: ({ signal }) =>
    api.get("/api/user/check_in_status", {
      schema: CheckInStatus,
      signal,
    }),
});

/** Claims today's reward, in quota units. */
export const checkIn = async (): Promise<number> =>
  (await api.post("/api/user/check_in", { schema: CheckInResult })).quota;

/** The user's invitation code. */
export const affCodeQuery = queryOptions({
  queryKey: ["aff-code"],
  queryFn: ({ signal }) => api.get("/api/user/aff", { schema: z.string(), signal }),
  staleTime: Infinity,
});

/** Transfers earnings to the balance. */
export const transferEarnings = (quota: number): Promise<AffTransferResult> =>
  api.post("/api/user/aff_transfer", {
    body: { quota },
    schema: AffTransferResult,
  });

/** Creates a system access token and revokes the previous one. */
export const makeAccessToken = (): Promise<string> => api.get("/api/user/token", { schema: z.string() });
