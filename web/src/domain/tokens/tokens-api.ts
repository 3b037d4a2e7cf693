import { NameList, UserGroups } from "@turnpike/contract/api/user";
import {
  CreatedToken,
  Token,
  type TokenCreateBody,
  TokenPage,
  type TokenUpdateBody,
  TokenUsage,
} from "@turnpike/contract/api/token";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../../lib/api/api-client.ts";
import { queryClient } from "../../lib/api/query-client.ts";

type ListQuery = {
  readonly page: number;
  readonly pageSize: number;
  readonly keyword?: string | undefined;
  readonly token?: string | undefined;
};

/** Reads one page of the user's tokens; pages count from 1 here and from 0 on the wire. */
export const readTokens = ({ page, pageSize, keyword = "", token = "" }: ListQuery, signal?: AbortSignal) =>
  api.get(keyword === "" && token === "" ? "/api/token/" : "/api/token/search", {
    query: { p: page - 1, size: pageSize, keyword, token, paged: true },
    schema: TokenPage,
    ...(signal ? { signal } : {}),
  });

export const tokensQuery = (list: ListQuery) =>
  queryOptions({
    queryKey: ["tokens", "list", list],
    queryFn: ({ signal }) => readTokens(list, signal),
    placeholderData: keepPreviousData,
  });

/** The first few tokens whose name contains `search`. */
export const findTokensQuery = (search: string) => tokensQuery({ page: 1, pageSize: 10, keyword: search });

export const tokenQuery = (id: number) =>
  queryOptions({
    queryKey: ["tokens", "one", id],
    queryFn: ({ signal }) => api.get(`/api/token/${id}`, { schema: Token, signal }),
  });

const DAY_SECONDS = 86_400;

/** A token's usage in the last days, by day and model. */
export const tokenUsageQuery = (id: number, days: number) =>
  queryOptions({
    queryKey: ["tokens", "usage", id, days],
    queryFn: ({ signal }) => {
      const end = Math.floor(Date.now() / 1000);
      const query = { start_timestamp: end - days * DAY_SECONDS, end_timestamp: end };
      return api.get(`/api/token/${id}/usage`, { query, schema: TokenUsage, signal });
    },
  });

/** The groups that the user may assign to a token, with their ratios. */
export const userGroupsQuery = queryOptions({
  queryKey: ["user-groups"],
  queryFn: ({ signal }) => api.get("/api/user/self/groups", { schema: UserGroups, signal }),
  staleTime: 60_000,
});

/** The models that the user can call. */
export const userModelsQuery = queryOptions({
  queryKey: ["user-models"],
  queryFn: ({ signal }) => api.get("/api/user/models", { schema: NameList, signal }),
  staleTime: 60_000,
});

/** Refetches everything that shows tokens. */
export const refreshTokens = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ["tokens"] });

export const createToken = (body: TokenCreateBody) => api.post("/api/token/", { body, schema: CreatedToken });
export const updateToken = (body: TokenUpdateBody) => api.put("/api/token/", { body });
export const setTokenStatus = (id: number, status: number) =>
  api.put("/api/token/", { query: { status_only: true }, body: { id, status } });
export const deleteToken = (id: number) => api.delete(`/api/token/${id}`);
