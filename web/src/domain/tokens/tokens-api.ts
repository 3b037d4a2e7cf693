import type { TokenCreateBody, TokenUpdateBody } from "@turnpike/contract/api/token";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { isNameList, isPageOf } from "../../lib/api-schemas.ts";
import { api } from "../../lib/api-client.ts";
import { isAnything } from "../../lib/check.ts";
import { queryClient } from "../../lib/query-client.ts";
import { isCreatedToken, isToken, isTokenUsage, isUserGroups } from "./token-schemas.ts";

type ListQuery = {
  readonly page: number;
  readonly pageSize: number;
  readonly keyword?: string | undefined;
  readonly token?: string | undefined;
};

const isTokenPage = isPageOf(isToken);

/** One page of the user's tokens; pages count from 1 here and from 0 on the wire. */
export const tokensQuery = ({ page, pageSize, keyword = "", token = "" }: ListQuery) =>
  queryOptions({
    queryKey: ["tokens", "list", page, pageSize, keyword, token],
    queryFn: ({ signal }) =>
      api.get(keyword === "" && token === "" ? "/api/token/" : "/api/token/search", {
        query: { p: page - 1, size: pageSize, keyword, token, paged: true },
        fits: isTokenPage,
        signal,
      }),
    placeholderData: keepPreviousData,
  });

/** The first few tokens whose name holds `wanted`. */
export const findTokensQuery = (wanted: string) => tokensQuery({ page: 1, pageSize: 10, keyword: wanted });

export const tokenQuery = (id: number) =>
  queryOptions({
    queryKey: ["tokens", "one", id],
    queryFn: ({ signal }) => api.get(`/api/token/${id}`, { fits: isToken, signal }),
  });

const DAY_SECONDS = 86_400;

/** What a token has used in the last days, by day and model. */
export const tokenUsageQuery = (id: number, days: number) =>
  queryOptions({
    queryKey: ["tokens", "usage", id, days],
    queryFn: ({ signal }) => {
      const end = Math.floor(Date.now() / 1000);
      const query = { start_timestamp: end - days * DAY_SECONDS, end_timestamp: end };
      return api.get(`/api/token/${id}/usage`, { query, fits: isTokenUsage, signal });
    },
  });

/** The groups that the user may give a token, with what they cost. */
export const userGroupsQuery = queryOptions({
  queryKey: ["user-groups"],
  queryFn: ({ signal }) => api.get("/api/user/self/groups", { fits: isUserGroups, signal }),
  staleTime: 60_000,
});

/** The models that the user can call. */
export const userModelsQuery = queryOptions({
  queryKey: ["user-models"],
  queryFn: ({ signal }) => api.get("/api/user/models", { fits: isNameList, signal }),
  staleTime: 60_000,
});

/** Everything that shows tokens is read again. */
export const refreshTokens = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ["tokens"] });

export const createToken = (body: TokenCreateBody) => api.post("/api/token/", { body, fits: isCreatedToken });
export const updateToken = (body: TokenUpdateBody) => api.put("/api/token/", { body, fits: isAnything });
export const setTokenStatus = (id: number, status: number) =>
  api.put("/api/token/", { query: { status_only: true }, body: { id, status }, fits: isAnything });
export const deleteToken = (id: number) => api.delete(`/api/token/${id}`, { fits: isAnything });
