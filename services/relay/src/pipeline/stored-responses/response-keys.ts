import { createHash } from "node:crypto";

/** A response of one user, by the id that the caller knows. */
export type ResponsePlace = { readonly userId: number; readonly id: string };

export const getMember = ({ id }: ResponsePlace): string => createHash("sha256").update(id).digest("base64url");
export const getEventsMember = (place: ResponsePlace): string => `${getMember(place)}:events`;

/** Keys of one user are in one slot of a cluster. */
export const getKeys = ({ userId }: ResponsePlace, ...members: readonly string[]): string[] =>
  ["order", "bytes", ...members].map((name) => `responses:{${userId}}:${name}`);
