import type { LucideIcon } from "lucide-react";

/** An address of the router; which parameters it has depends on the page. */
type PaletteAddress = {
  readonly to: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly search?: Readonly<Record<string, string | number | undefined>>;
  readonly hash?: string;
};

/** What the palette offers: a place to go to or something to do, with an id or a place next to its name. */
export type PaletteItem = {
  /** Distinguishes it from the items of all groups. */
  readonly key: string;
  readonly name: string;
  readonly note?: string;
  readonly icon: LucideIcon;
} & ({ readonly to: PaletteAddress } | { readonly run: () => void });
export type PaletteGroup = { readonly heading: string; readonly items: readonly PaletteItem[] };
