import {
  CreatedToken,
  Token,
  type TokenCreateBody,
  TokenPage,
  type TokenUpdateBody,
} from "@turnpike/contract/api/token";
import { NameList, UserGroups } from "@turnpike/contract/api/user";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { api } from "../../lib/api-client.ts";
import { queryClient } from "../../lib/query-client.ts";

type ListQuery = {
  readonly page: number;
  readonly pageSize: number;
  readonly keyword?: string | undefined;
  readonly token?: string | undefined;
};

const anything = z.unknown();

/** One page of the user's tokens; pages count from 1 here and from 0 on the wire. */
export const tokensQuery = ({ page, pageSize, keyword = "", token = "" }: ListQuery) =>
  queryOptions({
    queryKey: ["tokens", "list", page, pageSize, keyword, token],
    queryFn: ({ signal }) =>
      api.get(keyword === "" && token === "" ? "/api/token/" : "/api/token/search", {
        query: { p: page - 1, size: pageSize, keyword, token, paged: true },
        schema: TokenPage,
        signal,
      }),
    placeholderData: keepPreviousData,
  });

/** The first few tokens whose name holds `wanted`. */
export const findTokensQuery = (wanted: string) => tokensQuery({ page: 1, pageSize: 10, keyword: wanted });

export const tokenQuery = (id: number) =>
  queryOptions({
    queryKey: ["tokens", "one", id],
    queryFn: ({ signal }) => api.get(`/api/token/${id}`, { schema: Token, signal }),
  });

/** The groups that the user may give a token, with what they cost. */
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

/** Everything that shows tokens is read again. */
export const refreshTokens = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ["tokens"] });

export const createToken = (body: TokenCreateBody) => api.post("/api/token/", { body, schema: CreatedToken });
export const updateToken = (body: TokenUpdateBody) => api.put("/api/token/", { body, schema: anything });
export const setTokenStatus = (id: number, status: number) =>
  api.put("/api/token/", { query: { status_only: true }, body: { id, status }, schema: anything });
export const deleteToken = (id: number) => api.delete(`/api/token/${id}`, { schema: anything });
