import type { Task } from "@turnpike/proto/billing/v1/task_service";
import type { TaskDoc } from "../store/task-document.ts";

/** A task as returned to services, including its account's encrypted key. */
export const toTask = (doc: TaskDoc): Task => ({
  id: doc._id,
  requestId: doc.requestId,
  platform: doc.platform,
  action: doc.action,
  upstreamId: doc.upstreamId,
  userId: doc.userId,
  username: doc.username,
  tokenId: doc.tokenId,
  group: doc.group,
  modelName: doc.modelName,
  quota: doc.quota,
  prompt: doc.prompt,
  customId: doc.customId,
  botType: doc.botType,
  clientState: doc.clientState,
  createdAtMs: doc.createdAtMs,
  updatedAtMs: doc.updatedAtMs,
  refundedQuota: doc.refundedQuota,
  state: {
    status: doc.status,
    progress: doc.progress,
    failReason: doc.failReason,
    submitTimeMs: doc.submitTimeMs,
    startTimeMs: doc.startTimeMs,
    finishTimeMs: doc.finishTimeMs,
    imageUrl: doc.imageUrl,
    promptEn: doc.promptEn,
    description: doc.description,
    buttonsJson: doc.buttonsJson,
    propertiesJson: doc.propertiesJson,
    code: doc.code,
    dataJson: doc.dataJson,
  },
  account: {
    channelId: doc.channelId,
    channelName: doc.channelName,
    channelType: doc.channelType,
    baseUrl: doc.baseUrl,
    keyHash: doc.keyHash,
    keyBox: doc.keyBox,
  },
});

/** A task as shown to users: of its account only the channel. */
export function toListedTask(doc: TaskDoc): Task {
  const { channelId, channelName, channelType } = doc;
  return { ...toTask(doc), account: { channelId, channelName, channelType, baseUrl: "", keyHash: "", keyBox: "" } };
}

/** A task as leased to a relay for polling: where it runs, without its state. */
export const toClaimedTask = (doc: TaskDoc): Task => ({ ...toTask(doc), prompt: "", customId: "", state: undefined });
