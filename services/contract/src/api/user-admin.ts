import { z } from "zod";
import { wholeNumber } from "./common.ts";

/** Body of `POST /api/user/`: a new ordinary user; a `role` that is sent must be below the actor's. */
export const UserCreateBody = z.object({
  username: z.string().trim().default(""),
  password: z.string().default(""),
  display_name: z.string().trim().default(""),
  role: wholeNumber.default(0),
});
export type UserCreateBody = z.input<typeof UserCreateBody>;

/** What can be done to a user with `POST /api/user/manage`. */
export const USER_ACTIONS = ["promote", "demote", "disable", "enable", "delete"] as const;

/** Body of `POST /api/user/manage`; `action` is one of USER_ACTIONS. */
export const UserManageBody = z.object({ id: wholeNumber, action: z.string().default("") });
export type UserManageBody = z.input<typeof UserManageBody>;

/** Data of `POST /api/user/manage`: the user's role and status after it. */
export const UserManageResult = z.object({ role: z.int(), status: z.int() });
export type UserManageResult = z.infer<typeof UserManageResult>;
