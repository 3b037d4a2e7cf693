import { UserPage, UserProfile, type UserUpdateBody } from "@turnpike/contract/api/user";
import { type UserCreateBody, UserManageResult } from "@turnpike/contract/api/user-admin";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../../lib/api/api-client.ts";
import { queryClient } from "../../lib/api/query-client.ts";
import type { UserAction } from "./user-rules.ts";

type ListQuery = {
  readonly page: number;
  readonly pageSize: number;
  readonly keyword?: string | undefined;
  readonly group?: string | undefined;
  readonly role?: number | undefined;
  /** 1 active, 2 banned, 3 deregistered. */
  readonly status?: number | undefined;
  /** A figure, highest first; by default the newest users are first. */
  readonly sort?: string | undefined;
};

/** Reads one page of users, counted from 1. */
export const readUsers = ({ page, pageSize, ...filters }: ListQuery, signal?: AbortSignal) =>
  api.get("/api/user/search", {
    query: { p: page, page_size: pageSize, ...filters },
    schema: UserPage,
    ...(signal ? { signal } : {}),
  });

/** One page of users, newest first unless sorted; pages count from 1 here and on the wire. */
export const usersQuery = (list: ListQuery) =>
  queryOptions({
    queryKey: ["users", "list", list],
    queryFn: ({ signal }) => readUsers(list, signal),
    placeholderData: keepPreviousData,
  });

/** The first few users whose id, name or e-mail contains `search`. */
export const findUsersQuery = (search: string) => usersQuery({ page: 1, pageSize: 10, keyword: search });

export const userQuery = (id: number) =>
  queryOptions({
    queryKey: ["users", "one", id],
    queryFn: ({ signal }) => api.get(`/api/user/${id}`, { schema: UserProfile, signal }),
  });

/** Refetches everything that shows users. */
export const refreshUsers = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ["users"] });

export const createUser = (body: UserCreateBody) => api.post("/api/user/", { body });
export const updateUser = (body: UserUpdateBody) => api.put("/api/user/", { body });

/** Removes a user's second factor, for a user who lost the device. */
export const switchOffTwoFactor = (id: number) => api.delete(`/api/user/${id}/2fa`);

/** Runs one of the server's actions; the visible rows take the returned role and status. */
export async function manageUser(id: number, action: UserAction): Promise<void> {
  const { role, status } = await api.post("/api/user/manage", { body: { id, action }, schema: UserManageResult });
  queryClient.setQueriesData<{ items: readonly UserProfile[] }>({ queryKey: ["users", "list"] }, (page) =>
    page ? { ...page, items: page.items.map((user) => (user.id === id ? { ...user, role, status } : user)) } : page,
  );
}

/** Adds to a balance or deducts from it; the user sees the note. */
export const addQuota = (
  id: number,
  { amount, note, actionId, allowNegative }: { amount: number; note: string; actionId: string; allowNegative: boolean },
) =>
  updateUser({
    id,
    quota_change: amount,
    quota_note: note,
    action_id: actionId,
    ...(allowNegative ? { allow_negative: true } : {}),
  });
