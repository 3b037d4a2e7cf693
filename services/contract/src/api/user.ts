import { z } from "zod";
import { pageOf, queryNumber, queryText, wholeNumber } from "./common.ts";

/** Body of `POST /api/user/login`. */
export const LoginBody = z.object({ username: z.string().trim().default(""), password: z.string().default("") });
export type LoginBody = z.input<typeof LoginBody>;

/** Data of `POST /api/user/login`: the signed-in user. */
export const SignedInUser = z.object({
  id: z.int(),
  username: z.string(),
  display_name: z.string(),
  role: z.int(),
  status: z.int(),
  group: z.string(),
  /** True while the password was set by someone else. */
  must_change_password: z.boolean().default(false),
});
export type SignedInUser = z.infer<typeof SignedInUser>;

/** A user with the balance, as `GET /api/user/self` and the admin's user calls return it. Amounts are quota units. */
export const UserProfile = SignedInUser.extend({
  email: z.string(),
  quota: z.int(),
  used_quota: z.int(),
  request_count: z.int(),
  aff_code: z.string(),
  aff_count: z.int(),
  aff_quota: z.int(),
  aff_history_quota: z.int(),
  inviter_id: z.int(),
  github_id: z.string(),
  oidc_id: z.string(),
  wechat_id: z.string(),
  telegram_id: z.string(),
  linux_do_id: z.string(),
  /** A JSON object as text. */
  setting: z.string(),
  created_at: z.int(),
  /** Unix seconds; null while the user is registered. */
  DeletedAt: z.int().nullable(),
});
export type UserProfile = z.infer<typeof UserProfile>;

/** Data of `GET /api/user/` and `/api/user/search`; pages count from 1. */
export const UserPage = pageOf(UserProfile);

/** Query of `GET /api/user/` and `/api/user/search`, beside `p` and `page_size`; status 3 are the deregistered ones. */
export const UserFilter = z.object({ keyword: queryText, group: queryText, role: queryNumber, status: queryNumber });

/** Body of `PUT /api/user/`: an admin's edit; omitted fields stay unchanged. `quota` is the target balance. */
export const UserUpdateBody = z.object({
  id: wholeNumber,
  username: z.string().trim().optional(),
  display_name: z.string().trim().optional(),
  password: z.string().optional(),
  group: z.string().trim().optional(),
  quota: wholeNumber.optional(),
});
export type UserUpdateBody = z.infer<typeof UserUpdateBody>;

/** Data of `GET /api/user/self/groups`: the groups the user may choose for a token. */
export const UserGroups = z.record(z.string(), z.object({ desc: z.string(), ratio: z.number() }));
export type UserGroups = z.infer<typeof UserGroups>;

/** Data of `GET /api/user/models`, `/api/group/` and the other calls that return plain names. */
export const NameList = z.array(z.string());

/** Body of `POST /api/user/topup`. */
export const TopUpBody = z.object({ key: z.string().trim().default("") });

/** Data of `POST /api/user/topup`: the credited quota. */
export const TopUpResult = z.object({ quota: z.int(), is_gift: z.boolean() });
export type TopUpResult = z.infer<typeof TopUpResult>;
