import type { REDEMPTION_STATUS } from "@turnpike/contract/api/redemption";

/** The contract's statuses. Their module would bring the schema library along; the compiler keeps the two equal. */
export const REDEMPTION_CODE_STATUS: typeof REDEMPTION_STATUS = { unused: 1, disabled: 2, used: 3 };
