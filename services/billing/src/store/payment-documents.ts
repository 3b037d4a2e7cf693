// Amounts are integer quota units; times are unix seconds unless the name states otherwise.

/** A redemption or gift code. */
export type RedemptionDoc = {
  _id: number;
  key: string;
  name: string;
  status: number;
  quota: number;
  createdAt: number;
  redeemedAt: number;
  usedUserId: number;
  isGift: boolean;
  /** -1 unlimited. */
  maxUses: number;
  usedCount: number;
  validFrom: number;
  validUntil: number;
};

/** A user's use of a code: `<code id>:<user id>`. */
export type RedemptionUseDoc = { _id: string; codeId: number; userId: number; createdAt: number };

/** One purchase of quota. Money is in hundredths of the currency. */
export type OrderDoc = {
  _id: number;
  /** This site's id, which the provider's notifications name. */
  tradeNo: string;
  userId: number;
  username: string;
  provider: string;
  method: string;
  /** As requested: dollars, or quota units where the site showed them. */
  amount: number;
  quota: number;
  moneyCents: number;
  currency: string;
  /** pending, paid, failed, expired, mismatched, refunded, returned; see OrderStatus. */
  status: string;
  createdAt: number;
  paidAt: number;
  refundedAt: number;
  refundedQuota: number;
  refundReason: string;
  /** The rebate's recipient; 0 for none. */
  inviterId: number;
  inviterName: string;
  rebateQuota: number;
  /** The provider's checkout id, which its notifications must name; "" when it has none. */
  checkoutReference: string;
  /** The provider's payment id, "" before payment. */
  providerReference: string;
  /** Payments that were not credited: of another amount, or a second one. */
  receipts?: OrderReceipt[];
  /** Why an administrator credited the order; absent where a notification did. */
  settleReason?: string;
};

/** A payment that a provider reported and that was not credited. */
export type OrderReceipt = {
  reference: string;
  moneyCents: number;
  currency: string;
  receivedAt: number;
};
