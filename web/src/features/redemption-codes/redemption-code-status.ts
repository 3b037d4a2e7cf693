import type { REDEMPTION_STATUS } from "@turnpike/contract/api/redemption";

/**
 * The contract's statuses. Importing their module would also load the schema library; the compiler keeps the two equal.
 */
export const REDEMPTION_CODE_STATUS: typeof REDEMPTION_STATUS = { unused: 1, disabled: 2, used: 3 };
