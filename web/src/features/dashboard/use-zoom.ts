import { useState } from "react";

/** The zoomed range of a chart's points, both ends included. */
export type Zoom = { readonly first: number; readonly last: number };

/** The zoomed range of a chart of `count` points; it is the whole chart again when the number changes. */
export function useZoom(count: number): readonly [Zoom, (zoom: Zoom) => void] {
  const [chosen, setChosen] = useState<Zoom & { readonly count: number }>();
  const zoom = chosen?.count === count ? chosen : { first: 0, last: count - 1 };
  return [zoom, (next) => setChosen({ ...next, count })];
}
