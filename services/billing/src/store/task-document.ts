/** An image or music task as stored. Amounts are whole quota units, times unix milliseconds, 0 for not yet. */
export type TaskDoc = {
  _id: number;
  /** The submission's request id, which its charge is posted under. */
  requestId: string;
  /** mj, suno. */
  platform: string;
  action: string;
  /** The upstream task id; "" until it is known. */
  upstreamId: string;
  userId: number;
  username: string;
  tokenId: number;
  group: string;
  modelName: string;
  /** The charge; 0 for a rejected submission. */
  quota: number;
  prompt: string;
  customId: string;
  botType: string;
  /** The caller's own reference, returned with the task. */
  clientState: string;
  createdAtMs: number;
  updatedAtMs: number;

  channelId: number;
  channelName: string;
  channelType: number;
  baseUrl: string;
  keyHash: string;
  /** The account's key, encrypted, so that the task survives its channel; "" once it has ended. */
  keyBox: string;

  status: string;
  progress: string;
  failReason: string;
  submitTimeMs: number;
  startTimeMs: number;
  finishTimeMs: number;
  imageUrl: string;
  promptEn: string;
  description: string;
  buttonsJson: string;
  propertiesJson: string;
  code: number;
  dataJson: string;

  /** False once it has ended; afterwards only its refund changes it. */
  isOpen: boolean;
  /** When to poll it next; a relay that polls postpones this. */
  pollAtMs: number;
  /** Set while a relay polls it. */
  claim: string;
  /** When it times out, and whether it did. */
  deadlineAtMs: number;
  isOverdue?: boolean;
  /** When its refund is tried next; 0 when none is due. */
  refundAtMs: number;
  refundedQuota: number;
};

/** The stored part of an upstream's task report. */
export type StoredState = Pick<
  TaskDoc,
  | "status"
  | "progress"
  | "failReason"
  | "submitTimeMs"
  | "startTimeMs"
  | "finishTimeMs"
  | "imageUrl"
  | "promptEn"
  | "description"
  | "buttonsJson"
  | "propertiesJson"
  | "code"
  | "dataJson"
>;
