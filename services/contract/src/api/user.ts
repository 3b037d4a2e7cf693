import { z } from "zod/mini";
import { pageSchema, queryNumber, queryText, integer } from "./common.ts";

export const QUOTA_NOTE_LENGTH_MAX = 200;

/** Body of `POST /api/user/login`. */
export const LoginBody = z.object({
  username: z._default(z.string().check(z.trim()), ""),
  password: z._default(z.string(), ""),
});
export type LoginBody = z.input<typeof LoginBody>;

/** Data of `POST /api/user/login`: the signed-in user. */
export const SignedInUser = z.object({
  id: z.int(),
  username: z.string(),
  display_name: z.string(),
  role: z.int(),
  status: z.int(),
  group: z.string(),
  /** True while the password is one that another user has set. */
  must_change_password: z._default(z.boolean(), false),
});
export type SignedInUser = z.infer<typeof SignedInUser>;

/**
 * A user with the balance, as `GET /api/user/self` and the administrators' user calls return it. Amounts are quota
 * units.
 */
export const UserProfile = z.extend(SignedInUser, {
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
  /** When the newest charged call began, in unix seconds; absent before the first one. */
  last_call_at: z.optional(z.int()),
  /** The administrators' note; present for administrators only. */
  admin_note: z.optional(z.string()),
  /** Unix seconds; null while the user is registered. */
  DeletedAt: z.nullable(z.int()),
});
export type UserProfile = z.infer<typeof UserProfile>;

/** Data of `GET /api/user/` and `/api/user/search`; pages count from 1. */
export const UserPage = pageSchema(UserProfile);

/** The figures by which users are sorted. */
export const USER_SORTS = ["balance", "spent", "last_call"] as const;

/**
 * Query of `GET /api/user/` and `/api/user/search`, besides `p` and `page_size`; status 3 selects deregistered users.
 */
export const UserFilter = z.object({
  keyword: queryText,
  group: queryText,
  role: queryNumber,
  status: queryNumber,
  /** Highest first; without it the newest users are first. */
  sort: z.optional(z.enum(USER_SORTS)),
});

/** Body of `PUT /api/user/`: an administrator's edit; omitted fields stay unchanged. `quota` is the target balance. */
export const UserUpdateBody = z.object({
  id: integer,
  username: z.optional(z.string().check(z.trim())),
  display_name: z.optional(z.string().check(z.trim())),
  password: z.optional(z.string()),
  group: z.optional(z.string().check(z.trim())),
  /** A note that administrators see; empty removes it. */
  admin_note: z.optional(z.string().check(z.trim(), z.maxLength(2000))),
  quota: z.optional(integer),
  /** Added to the balance in place of setting it; below 0 it is deducted, and refused where less is left. */
  quota_change: z.optional(integer),
  /** Whether the balance may fall below 0. */
  allow_negative: z.optional(z.boolean()),
  /** An id of the change of the balance; a repeat with the same id changes nothing. */
  action_id: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(64))),
  /** A note about the change of the balance, which the user sees. */
  quota_note: z.optional(z.string().check(z.trim(), z.maxLength(QUOTA_NOTE_LENGTH_MAX))),
});
export type UserUpdateBody = z.infer<typeof UserUpdateBody>;

/** Data of `GET /api/user/self/groups`: the groups that the user may choose for a token. */
export const UserGroups = z.record(z.string(), z.object({ desc: z.string(), ratio: z.number() }));
export type UserGroups = z.infer<typeof UserGroups>;

/** Data of `GET /api/user/models`, `/api/group/` and the other calls that return plain names. */
export const NameList = z.array(z.string());

/** Body of `POST /api/user/topup`. */
export const TopUpBody = z.object({ key: z._default(z.string().check(z.trim()), "") });

/** Data of `POST /api/user/topup`: the credited quota. */
export const TopUpResult = z.object({ quota: z.int(), is_gift: z.boolean() });
export type TopUpResult = z.infer<typeof TopUpResult>;
