/** A drawing or music task as it is stored. Amounts are whole quota units, times unix milliseconds, 0 for not yet. */
export type TaskDoc = {
  _id: number;
  /** The submission's request id, which its charge is booked under. */
  requestId: string;
  /** mj, suno. */
  platform: string;
  action: string;
  /** Upstream's number of the task; "" until it is known. */
  upstreamId: string;
  userId: number;
  username: string;
  tokenId: number;
  group: string;
  modelName: string;
  /** What is charged for it; 0 for a submission that was refused. */
  quota: number;
  prompt: string;
  customId: string;
  botType: string;
  /** The caller's own mark, given back with the task. */
  clientState: string;
  createdAtMs: number;
  updatedAtMs: number;

  channelId: number;
  channelName: string;
  channelType: number;
  baseUrl: string;
  keyHash: string;
  /** The account's key, sealed, so that the task outlives its channel; "" once it has ended. */
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

  /** False once it has ended; nothing changes it then but its refund. */
  isOpen: boolean;
  /** When it is to be looked at again; a relay that looks pushes it on. */
  pollAtMs: number;
  /** Set for the time a relay looks at it. */
  claim: string;
  /** When it counts as failed. */
  deadlineAtMs: number;
  /** When its refund is tried (again); 0 when none is due. */
  refundAtMs: number;
  refundedQuota: number;
};

/** What upstream says of a task, as far as it is stored. */
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
