import audit from "./en/audit.json" with { type: "json" };

/** English for the sentences that only the audit log shows; loaded with it. */
export const englishAudit: Readonly<Record<string, string>> = { ...audit };
