/** The axis of time below a chart whose rows have `startSeconds`. */
export const TIME_AXIS = {
  dataKey: "startSeconds",
  tickLine: false,
  axisLine: false,
  interval: "equidistantPreserveStart",
  minTickGap: 24,
} as const;

/** The axis of values, as wide as its labels. */
export const VALUE_AXIS = { tickLine: false, axisLine: false, width: "auto" } as const;
