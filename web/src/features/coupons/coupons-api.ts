import {
  Redemption,
  type RedemptionCreateBody,
  RedemptionPage,
  type RedemptionUpdateBody,
} from "@turnpike/contract/api/redemption";
import { NameList } from "@turnpike/contract/api/user";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { api } from "../../lib/api-client.ts";
import { queryClient } from "../../lib/query-client.ts";

const anything = z.unknown();

/** One page of codes; pages count from 1 here and from 0 on the wire. */
export const couponsQuery = (page: number, pageSize: number, keyword = "") =>
  queryOptions({
    queryKey: ["coupons", "list", page, pageSize, keyword],
    queryFn: ({ signal }) =>
      api.get(keyword === "" ? "/api/redemption/" : "/api/redemption/search", {
        query: { p: page - 1, page_size: pageSize, keyword },
        schema: RedemptionPage,
        signal,
      }),
    placeholderData: keepPreviousData,
  });

export const couponQuery = (id: number) =>
  queryOptions({
    queryKey: ["coupons", "one", id],
    queryFn: ({ signal }) => api.get(`/api/redemption/${id}`, { schema: Redemption, signal }),
  });

/** Everything that shows codes is read again. */
export const refreshCoupons = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ["coupons"] });

/** Makes codes and answers their keys. */
export const createCoupons = (body: RedemptionCreateBody) => api.post("/api/redemption/", { body, schema: NameList });
export const updateCoupon = (body: RedemptionUpdateBody) => api.put("/api/redemption/", { body, schema: anything });
export const setCouponStatus = (id: number, status: number) =>
  api.put("/api/redemption/", { query: { status_only: true }, body: { id, status }, schema: anything });
export const deleteCoupon = (id: number) => api.delete(`/api/redemption/${id}`, { schema: anything });
