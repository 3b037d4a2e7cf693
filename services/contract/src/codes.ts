/** Numeric codes of roles, statuses and log types, as clients of `/api` and the stores know them. */
export const ROLE = { user: 1, admin: 10, root: 100 } as const;
export const USER_STATUS = { active: 1, banned: 2 } as const;
export const TOKEN_STATUS = { enabled: 1, disabled: 2, expired: 3, exhausted: 4 } as const;
export const CHANNEL_STATUS = { enabled: 1, disabled: 2, autoDisabled: 3 } as const;
export const LOG_TYPE = { topUp: 1, consume: 2, manage: 3, system: 4, checkIn: 5, error: 6 } as const;
