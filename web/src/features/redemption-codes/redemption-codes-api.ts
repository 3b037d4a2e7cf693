import { NameList } from "@turnpike/contract/api/user";
import {
  Redemption,
  type RedemptionCreateBody,
  RedemptionPage,
  type RedemptionUpdateBody,
} from "@turnpike/contract/api/redemption";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { z } from "zod/mini";
import { api } from "../../lib/api/api-client.ts";
import { queryClient } from "../../lib/api/query-client.ts";

/** One page of codes; pages count from 1 here and from 0 on the wire. */
export const redemptionCodesQuery = (page: number, pageSize: number, keyword = "") =>
  queryOptions({
    queryKey: ["redemption-codes", "list", page, pageSize, keyword],
    queryFn: ({ signal }) =>
      api.get(keyword === "" ? "/api/redemption/" : "/api/redemption/search", {
        query: { p: page - 1, page_size: pageSize, keyword },
        schema: RedemptionPage,
        signal,
      }),
    placeholderData: keepPreviousData,
  });

export const redemptionCodeQuery = (id: number) =>
  queryOptions({
    queryKey: ["redemption-codes", "one", id],
    queryFn: ({ signal }) => api.get(`/api/redemption/${id}`, { schema: Redemption, signal }),
  });

/** Refetches everything that shows codes. */
export const refreshRedemptionCodes = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: ["redemption-codes"] });

/** Creates codes and returns their keys. */
export const createRedemptionCodes = (body: RedemptionCreateBody) =>
  api.post("/api/redemption/", { body, schema: NameList });
export const updateRedemptionCode = (body: RedemptionUpdateBody) => api.put("/api/redemption/", { body });
export const setRedemptionCodeStatus = (id: number, status: number) =>
  api.put("/api/redemption/", { query: { status_only: true }, body: { id, status } });

const counted = { schema: z.number(), timeoutMs: 60_000 };
// Each returns the number of changed codes.
export const disableRedemptionCodes = (ids: readonly number[]) =>
  api.put("/api/redemption/batch-disable", { body: { ids }, ...counted });
export const deleteDisabledRedemptionCodes = () => api.delete("/api/redemption/delete-disabled", counted);
export const countRedemptionCodesByName = (name: string) =>
  api.get("/api/redemption/count-by-name", { query: { name }, ...counted });
export const deleteRedemptionCodesByName = (name: string) =>
  api.delete("/api/redemption/delete-by-name", { query: { name }, ...counted });
export const deleteRedemptionCode = (id: number) => api.delete(`/api/redemption/${id}`);
