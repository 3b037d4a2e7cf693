import type { AffTransferResult } from "@turnpike/contract/api/affiliate";
import type { CheckInResult, CheckInStatus } from "@turnpike/contract/api/check-in";
import type { SelfDeleteBody, SelfUpdateBody } from "@turnpike/contract/api/self";
import { queryOptions } from "@tanstack/react-query";
import { clearSession, selfQuery } from "../../lib/account.ts";
import { api } from "../../lib/api-client.ts";
import { isAnything, isFlag, isNumber, isObjectOf, isText } from "../../lib/check.ts";
import { queryClient } from "../../lib/query-client.ts";

/** The user's facts are read again. */
export const refreshSelf = (): Promise<void> => queryClient.invalidateQueries({ queryKey: selfQuery.queryKey });

export const updateSelf = async (body: SelfUpdateBody): Promise<void> => {
  await api.put("/api/user/self", { body, fits: isAnything, timeoutMs: 15_000 });
  await refreshSelf();
};

/** Deregisters the user; the name typed is proof that it was meant. */
export async function deleteSelf(body: SelfDeleteBody): Promise<void> {
  await api.delete("/api/user/self", { body, fits: isAnything });
  clearSession();
}

/** Whether today's reward is there to be taken. */
export const checkInQuery = queryOptions({
  queryKey: ["check-in"],
  queryFn: ({ signal }) =>
    api.get("/api/user/check_in_status", {
      fits: isObjectOf<CheckInStatus>({
        can_check_in: isFlag,
        enabled: isFlag,
        checked_in_today: isFlag,
        day: isText,
        quota: isNumber,
      }),
      signal,
    }),
});

/** Takes today's reward, in quota units. */
export const checkIn = async (): Promise<number> =>
  (await api.post("/api/user/check_in", { fits: isObjectOf<CheckInResult>({ quota: isNumber }) })).quota;

/** The code that the user's invitations carry. */
export const affCodeQuery = queryOptions({
  queryKey: ["aff-code"],
  queryFn: ({ signal }) => api.get("/api/user/aff", { fits: isText, signal }),
  staleTime: Infinity,
});

/** Moves earnings to the balance. */
export const transferEarnings = (quota: number): Promise<AffTransferResult> =>
  api.post("/api/user/aff_transfer", {
    body: { quota },
    fits: isObjectOf<AffTransferResult>({ quota: isNumber, aff_quota: isNumber }),
  });

/** Makes a system access token; the one before it ends. */
export const makeAccessToken = (): Promise<string> => api.get("/api/user/token", { fits: isText });
