/** Limits shared by several services. */
export const PAGE_SIZE_DEFAULT = 10;
export const PAGE_SIZE_MAX = 100;
export const PAGE_SIZES = [10, 20, 50, 100] as const;

export const USERNAME_LENGTH_MAX = 20;
export const PASSWORD_LENGTH_MIN = 8;
export const PASSWORD_LENGTH_MAX = 20;
export const TOKEN_KEY_PREFIX = "sk-";
export const TOKEN_KEY_LENGTH = 48;

export const CHANNEL_PRIORITY_MIN = -999;
export const CHANNEL_WEIGHT_MIN = 0;

/** Model names travel to logs, metrics and Redis with every call. */
export const MODEL_NAME_LENGTH_MAX = 256;
