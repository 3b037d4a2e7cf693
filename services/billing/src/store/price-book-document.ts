import type { PriceKey } from "@turnpike/contract/options/price-options";

/** The price book of the install: one document, so that every read of it is one revision. */
export type PriceBookDoc = {
  readonly _id: "prices";
  /** Grows by one with each change. */
  readonly revision: number;
  /** Values as text; an option that is missing has its built-in default. */
  readonly values: Readonly<Partial<Record<PriceKey, string>>>;
  /** SHA-256 of what auth stored for each option when billing last took it over. */
  readonly formerDigests: Readonly<Partial<Record<PriceKey, string>>>;
  /**
   * The tables as they stood before rows equal to the defaults of versions before the catalogue were dropped; missing in a book that
   * still holds such rows.
   */
  readonly formerValues?: Readonly<Partial<Record<PriceKey, string>>>;
  /** Grows with each transaction that changes the book: the write by which it keeps the others out. */
  readonly locks: number;
};

/** One price that an administrator changed. */
export type PriceChangeDoc = {
  readonly _id: number;
  readonly createdAtSeconds: number;
  readonly actorId: number;
  readonly actorName: string;
  readonly key: string;
  /** The model or group, "" for neither. */
  readonly name: string;
  readonly before?: string;
  readonly after?: string;
  /** True where `before`, or `after`, is the built-in price, which applies where nothing is set. */
  readonly isBuiltInBefore?: boolean;
  readonly isBuiltInAfter?: boolean;
};
