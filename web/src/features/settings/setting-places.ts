import { queryOptions } from "@tanstack/react-query";
import type { TFunction } from "i18next";
import type { SettingPlace } from "./settings-index.ts";

const SHOWN_MAX = 8;

/** Every section and setting; loaded with the code and the texts of all tabs when it is first needed. */
export const settingPlacesQuery = queryOptions({
  queryKey: ["setting-places"],
  queryFn: async () => (await import("./settings-index.ts")).loadSettingPlaces(),
  staleTime: Infinity,
});

/** The sections and settings whose name contains a text, those that begin with it first. */
export function matchSettingPlaces(
  places: readonly SettingPlace[],
  search: string,
  t: TFunction,
): readonly SettingPlace[] {
  const text = search.trim().toLowerCase();
  if (text === "") return [];
  const getName = ({ label, title }: SettingPlace): string => t(label ?? title).toLowerCase();
  const found = places.filter((place) => getName(place).includes(text));
  const begins = (place: SettingPlace): number => Number(!getName(place).startsWith(text));
  return found.toSorted((a, b) => begins(a) - begins(b)).slice(0, SHOWN_MAX);
}
