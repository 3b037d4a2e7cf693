import type { RedemptionCreateBody, RedemptionUpdateBody } from "@turnpike/contract/api/redemption";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { isNameList, isPageOf } from "../../lib/api-schemas.ts";
import { api } from "../../lib/api-client.ts";
import { isAnything, isNumber } from "../../lib/check.ts";
import { queryClient } from "../../lib/query-client.ts";
import { isRedemption } from "./redemption-code-schemas.ts";

const isRedemptionPage = isPageOf(isRedemption);

/** One page of codes; pages count from 1 here and from 0 on the wire. */
export const redemptionCodesQuery = (page: number, pageSize: number, keyword = "") =>
  queryOptions({
    queryKey: ["redemption-codes", "list", page, pageSize, keyword],
    queryFn: ({ signal }) =>
      api.get(keyword === "" ? "/api/redemption/" : "/api/redemption/search", {
        query: { p: page - 1, page_size: pageSize, keyword },
        fits: isRedemptionPage,
        signal,
      }),
    placeholderData: keepPreviousData,
  });

export const redemptionCodeQuery = (id: number) =>
  queryOptions({
    queryKey: ["redemption-codes", "one", id],
    queryFn: ({ signal }) => api.get(`/api/redemption/${id}`, { fits: isRedemption, signal }),
  });

/** Everything that shows codes is read again. */
export const refreshRedemptionCodes = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: ["redemption-codes"] });

/** Makes codes and answers their keys. */
export const createRedemptionCodes = (body: RedemptionCreateBody) =>
  api.post("/api/redemption/", { body, fits: isNameList });
export const updateRedemptionCode = (body: RedemptionUpdateBody) =>
  api.put("/api/redemption/", { body, fits: isAnything });
export const setRedemptionCodeStatus = (id: number, status: number) =>
  api.put("/api/redemption/", { query: { status_only: true }, body: { id, status }, fits: isAnything });

const counted = { fits: isNumber, timeoutMs: 60_000 };
// Each answers how many codes it was about.
export const disableRedemptionCodes = (ids: readonly number[]) =>
  api.put("/api/redemption/batch-disable", { body: { ids }, ...counted });
export const deleteDisabledRedemptionCodes = () => api.delete("/api/redemption/delete-disabled", counted);
export const countRedemptionCodesByName = (name: string) =>
  api.get("/api/redemption/count-by-name", { query: { name }, ...counted });
export const deleteRedemptionCodesByName = (name: string) =>
  api.delete("/api/redemption/delete-by-name", { query: { name }, ...counted });
export const deleteRedemptionCode = (id: number) => api.delete(`/api/redemption/${id}`, { fits: isAnything });
