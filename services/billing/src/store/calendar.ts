const HOUR_SECONDS = 3_600;
export const DAY_SECONDS = 24 * HOUR_SECONDS;
/** How long the day totals of tokens are stored: a month, and the days for which records of a relay may be late. */
export const TOKEN_DAY_TTL_SECONDS = 62 * DAY_SECONDS;

/** The start of the hour that holds a time, in unix seconds. */
export const getHour = (seconds: number): number => seconds - (seconds % HOUR_SECONDS);

export const QUARTER_SECONDS = 900;

/** The quarter of its hour that holds a time, from 0. */
export const getQuarter = (seconds: number): number => Math.floor((seconds % HOUR_SECONDS) / QUARTER_SECONDS);

/** The start of the UTC day that holds a time, in unix seconds. */
export const getDayStart = (seconds: number): number => seconds - (seconds % DAY_SECONDS);

/** The number of UTC days since 1970 before a time. */
export const getDayNumber = (seconds: number): number => Math.floor(seconds / DAY_SECONDS);
