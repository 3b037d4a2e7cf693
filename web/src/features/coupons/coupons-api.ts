import type { RedemptionCreateBody, RedemptionUpdateBody } from "@turnpike/contract/api/redemption";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { isNameList, isPageOf } from "../../lib/answers.ts";
import { api } from "../../lib/api-client.ts";
import { isAnything, isNumber } from "../../lib/check.ts";
import { queryClient } from "../../lib/query-client.ts";
import { isRedemption } from "./coupon-answers.ts";

const isRedemptionPage = isPageOf(isRedemption);

/** One page of codes; pages count from 1 here and from 0 on the wire. */
export const couponsQuery = (page: number, pageSize: number, keyword = "") =>
  queryOptions({
    queryKey: ["coupons", "list", page, pageSize, keyword],
    queryFn: ({ signal }) =>
      api.get(keyword === "" ? "/api/redemption/" : "/api/redemption/search", {
        query: { p: page - 1, page_size: pageSize, keyword },
        fits: isRedemptionPage,
        signal,
      }),
    placeholderData: keepPreviousData,
  });

export const couponQuery = (id: number) =>
  queryOptions({
    queryKey: ["coupons", "one", id],
    queryFn: ({ signal }) => api.get(`/api/redemption/${id}`, { fits: isRedemption, signal }),
  });

/** Everything that shows codes is read again. */
export const refreshCoupons = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ["coupons"] });

/** Makes codes and answers their keys. */
export const createCoupons = (body: RedemptionCreateBody) => api.post("/api/redemption/", { body, fits: isNameList });
export const updateCoupon = (body: RedemptionUpdateBody) => api.put("/api/redemption/", { body, fits: isAnything });
export const setCouponStatus = (id: number, status: number) =>
  api.put("/api/redemption/", { query: { status_only: true }, body: { id, status }, fits: isAnything });

const counted = { fits: isNumber, timeoutMs: 60_000 };
// Each answers how many codes it was about.
export const disableCoupons = (ids: readonly number[]) =>
  api.put("/api/redemption/batch-disable", { body: { ids }, ...counted });
export const deleteDisabledCoupons = () => api.delete("/api/redemption/delete-disabled", counted);
export const countCouponsByName = (name: string) =>
  api.get("/api/redemption/count-by-name", { query: { name }, ...counted });
export const deleteCouponsByName = (name: string) =>
  api.delete("/api/redemption/delete-by-name", { query: { name }, ...counted });
export const deleteCoupon = (id: number) => api.delete(`/api/redemption/${id}`, { fits: isAnything });
