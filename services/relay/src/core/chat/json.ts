import type { Json } from "./chat.ts";

/** Declared here because TypeScript lacks the type. */
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => object };

/** An integer beyond double precision: JSON.stringify writes its digits, everything else reads the nearest number. */
export class ExactInteger {
  readonly #digits: string;

  constructor(digits: string) {
    this.#digits = digits;
  }

  toJSON(): object {
    return rawJSON(this.#digits);
  }

  toString(): string {
    return this.#digits;
  }

  valueOf(): number {
    return Number(this.#digits);
  }
}

/** The value if it is a JSON object, else undefined. */
export const asObject = (value: unknown): Json | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof ExactInteger)
    ? (value as Json)
    : undefined;

/** The value if it is a list, else an empty list. */
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

/** The objects of a list in order; other items become empty objects. */
export const asObjects = (value: unknown): Json[] => asList(value).map((one) => asObject(one) ?? {});

/** The value if it is a string, else undefined. */
export const asText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** The value if it is a finite number, else undefined. An integer beyond double precision becomes the nearest number. */
export function asNumber(value: unknown): number | undefined {
  const number = value instanceof ExactInteger ? value.valueOf() : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

/** A count: a whole number from 0; any other value counts as 0. */
export const asCount = (value: unknown): number => Math.max(0, Math.trunc(asNumber(value) ?? 0));

type OptionalKeys<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T];
type Compact<T> = { [K in Exclude<keyof T, OptionalKeys<T>>]: T[K] } & {
  [K in OptionalKeys<T>]?: Exclude<T[K], undefined>;
};

/** The object without undefined fields: an absent field must not appear in a body. */
export function compact<T extends object>(value: T): Compact<T> {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as Compact<T>;
}

/** The fields that are present. */
export const pick = (body: Json, names: readonly string[]): Json =>
  Object.fromEntries(names.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]));

/** Parsed JSON, or undefined if the text is not valid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A value with every string in it changed; property names stay. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((one: unknown) => mapTexts(one, change));
  const object = asObject(value);
  return object
    ? Object.fromEntries(Object.entries(object).map(([name, inner]) => [name, mapTexts(inner, change)]))
    : value;
}
