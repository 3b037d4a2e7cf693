/** Dollars that a million prompt tokens cost at model ratio 1. Every other form of this rate derives from this one. */
export const DOLLARS_PER_MILLION = 2;

/** Quota units in a dollar, unless the option QuotaPerUnit says otherwise: at ratio 1 a prompt token costs one unit. */
export const QUOTA_PER_UNIT_DEFAULT = 1_000_000 / DOLLARS_PER_MILLION;
