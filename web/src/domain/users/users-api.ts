import type { UserProfile, UserUpdateBody } from "@turnpike/contract/api/user";
import type { UserCreateBody, UserManageResult } from "@turnpike/contract/api/user-admin";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { isPageOf, isUserProfile } from "../../lib/api-schemas.ts";
import { api } from "../../lib/api-client.ts";
import { isAnything, isNumber, isObjectOf } from "../../lib/check.ts";
import { queryClient } from "../../lib/query-client.ts";
import type { UserAction } from "./user-rules.ts";

type ListQuery = {
  readonly page: number;
  readonly pageSize: number;
  readonly keyword?: string | undefined;
  readonly group?: string | undefined;
  readonly role?: number | undefined;
  /** 1 active, 2 banned, 3 deregistered. */
  readonly status?: number | undefined;
};

const isUserPage = isPageOf(isUserProfile);
const isManageResult = isObjectOf<UserManageResult>({ role: isNumber, status: isNumber });

/** Reads one page of users, counted from 1. */
export const readUsers = ({ page, pageSize, ...filters }: ListQuery, signal?: AbortSignal) =>
  api.get("/api/user/search", {
    query: { p: page, page_size: pageSize, ...filters },
    fits: isUserPage,
    ...(signal ? { signal } : {}),
  });

/** One page of users, newest first; pages count from 1 here and on the wire. */
export const usersQuery = (list: ListQuery) =>
  queryOptions({
    queryKey: ["users", "list", list],
    queryFn: ({ signal }) => readUsers(list, signal),
    placeholderData: keepPreviousData,
  });

/** The first few users whose id, name or e-mail holds `wanted`. */
export const findUsersQuery = (wanted: string) => usersQuery({ page: 1, pageSize: 10, keyword: wanted });

export const userQuery = (id: number) =>
  queryOptions({
    queryKey: ["users", "one", id],
    queryFn: ({ signal }) => api.get(`/api/user/${id}`, { fits: isUserProfile, signal }),
  });

/** Everything that shows users is read again. */
export const refreshUsers = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ["users"] });

export const createUser = (body: UserCreateBody) => api.post("/api/user/", { body, fits: isAnything });
export const updateUser = (body: UserUpdateBody) => api.put("/api/user/", { body, fits: isAnything });

/** Lets in somebody who lost the second factor's device. */
export const switchOffTwoFactor = (id: number) => api.delete(`/api/user/${id}/2fa`, { fits: isAnything });

/** Takes one of the server's actions; the rows shown take the role and status that come back. */
export async function manageUser(id: number, action: UserAction): Promise<void> {
  const { role, status } = await api.post("/api/user/manage", { body: { id, action }, fits: isManageResult });
  queryClient.setQueriesData<{ items: readonly UserProfile[] }>({ queryKey: ["users", "list"] }, (page) =>
    page ? { ...page, items: page.items.map((user) => (user.id === id ? { ...user, role, status } : user)) } : page,
  );
}

/** Adds to a balance, or takes from it, on what the balance is at that moment. */
export async function addQuota(id: number, difference: number): Promise<void> {
  const { quota } = await api.get(`/api/user/${id}`, { fits: isUserProfile });
  await updateUser({ id, quota: quota + difference });
}
