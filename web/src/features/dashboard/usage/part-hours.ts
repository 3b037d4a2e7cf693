const MINUTES_PER_HOUR = 60;

/** Whether the browser's days begin within an hour of UTC, as in India: such an hour belongs to two days. */
export const hasPartHours = (seconds: number): boolean =>
  new Date(seconds * 1000).getTimezoneOffset() % MINUTES_PER_HOUR !== 0;
