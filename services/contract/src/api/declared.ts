import { z } from "zod/mini";
import { integer, queryText } from "./common.ts";
import { OptionList } from "./option.ts";
import { Token, TokenCreateBody } from "./token.ts";

/** The kinds of objects that the declared configuration manages. */
export const DECLARED_KINDS = ["option", "price", "group", "channel", "user", "token"] as const;
const kind = z.enum(DECLARED_KINDS);

/** One field that differs; a secret has no values. */
export const DeclaredField = z.object({ field: z.string(), declared: z.string(), actual: z.string() });

/** A difference between the site and the declared configuration, and the action that removes it. */
export const DeclaredDrift = z.object({
  kind,
  /** Tokens are named `user/token`. */
  name: z.string(),
  action: z.enum(["create", "update", "delete"]),
  fields: z.array(DeclaredField),
});
export type DeclaredDrift = z.infer<typeof DeclaredDrift>;

/** A declared object. */
export const DeclaredObject = z.object({
  kind,
  name: z.string(),
  /** The id of a channel, user or token; 0 for the others. */
  id: z._default(z.int(), 0),
  /** What identifies the secret that was applied last; present for root only. */
  fingerprint: z._default(z.string(), ""),
  /** What the site showed of the secret after that: the hint and the number of a channel's keys, the mark of an option. */
  mark: z._default(z.string(), ""),
});
export type DeclaredObject = z.infer<typeof DeclaredObject>;

/** Body of `PUT /api/declared/report`, and data of the GET: what is declared, and how the site differs from it. */
export const DeclaredReport = z.object({
  /** Where the configuration comes from: a file, a repository's revision. */
  source: z.string().check(z.maxLength(500)),
  /** Unix seconds of the last complete apply; 0 for none. */
  applied_at: z.int(),
  /** Unix seconds of the last comparison. */
  checked_at: z.int(),
  /** Seconds between two comparisons; 0 when none follows. */
  interval: z._default(z.int(), 0),
  /** Why the last comparison or apply failed; "" if it did not. */
  problem: z._default(z.string(), ""),
  /** Random text that goes into the fingerprints; present for root only. */
  salt: z._default(z.string(), ""),
  objects: z.array(DeclaredObject),
  drifts: z.array(DeclaredDrift),
});
export type DeclaredReport = z.infer<typeof DeclaredReport>;

/** Data of `GET /api/declared/report`; null on a site that no configuration was applied to. */
export const DeclaredState = z.nullable(DeclaredReport);

/** Data of `GET /api/declared/prices`: the price options with their stored entries, without the built-in prices. */
export const StoredPrices = OptionList;

/** Data of `GET /api/declared/secrets`: a mark for each secret option, which changes with its value; "" for one that is not set. */
export const SecretMarks = z.record(z.string(), z.string());

/** Query of `GET /api/declared/tokens`. */
export const DeclaredTokensQuery = z.object({
  /** Ids of at most 100 users, separated by commas. */
  user_ids: queryText,
});
/** Data of `GET /api/declared/tokens`: every token of these users, without keys. */
export const DeclaredTokens = z.array(Token);

/** Body of `POST /api/declared/tokens`: a token of a user, with the key that its callers have; a new key when it is empty. */
export const DeclaredTokenBody = z.extend(TokenCreateBody, { user_id: integer, key: z._default(z.string(), "") });
export type DeclaredTokenBody = z.input<typeof DeclaredTokenBody>;

/** Body of `PUT /api/declared/tokens`: the form, or with `status` only that. */
export const DeclaredTokenUpdateBody = z.extend(TokenCreateBody, {
  user_id: integer,
  id: integer,
  status: z.optional(integer),
});
export type DeclaredTokenUpdateBody = z.input<typeof DeclaredTokenUpdateBody>;

/** Query of `DELETE /api/declared/tokens/{id}`: the owner. */
export const DeclaredTokenOwner = z.object({
  /** The id of the owner. */
  user_id: integer,
});
