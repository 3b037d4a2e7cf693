import { z } from "zod/mini";
import { integer } from "./common.ts";

/** Body of `POST /api/user/`: a new ordinary user; a `role` that is sent must be below the actor's. */
export const UserCreateBody = z.object({
  username: z._default(z.string().check(z.trim()), ""),
  password: z._default(z.string(), ""),
  display_name: z._default(z.string().check(z.trim()), ""),
  role: z._default(integer, 0),
});
export type UserCreateBody = z.input<typeof UserCreateBody>;

/** Actions on a user with `POST /api/user/manage`. */
export const USER_ACTIONS = ["promote", "demote", "disable", "enable", "delete"] as const;

/** Body of `POST /api/user/manage`; `action` is one of USER_ACTIONS. */
export const UserManageBody = z.object({ id: integer, action: z._default(z.string(), "") });
export type UserManageBody = z.input<typeof UserManageBody>;

/** Data of `POST /api/user/manage`: the user's role and status after it. */
export const UserManageResult = z.object({ role: z.int(), status: z.int() });
export type UserManageResult = z.infer<typeof UserManageResult>;
