/** Every call's body is JSON. */
export const JSON_CONTENT = { "content-type": "application/json" } as const;
