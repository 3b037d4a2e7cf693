import type { Collections } from "./collections.ts";

const FIELDS = ["userId", "username", "type", "channel", "modelName", "tokenName", "tokenId", "group"];

/** Indexes of earlier versions that have been replaced. */
export const OBSOLETE_INDEXES: { readonly [Name in keyof Collections]?: readonly string[] } = {
  logs: [
    "list_all",
    "search_by_note",
    ...["type", "userId", "username", "tokenName"].map((field) => `page_by_${field}`),
    ...FIELDS.map((field) => `list_by_${field}`),
  ],
};
