import type { ImageTask, GenericTask } from "@turnpike/contract/api/task";
import { type Task, TaskState } from "@turnpike/proto/billing/v1/task_service";

/** The address of a task's image: the upstream's own, or through this site at `site` ("" for the same origin). */
export type ImageRule = { readonly isForwarded: boolean; readonly site: string };

const seconds = (ms: number): number => Math.floor(ms / 1000);

function getImageUrl({ upstreamId, state }: Task, { isForwarded, site }: ImageRule): string {
  const url = state?.imageUrl ?? "";
  return url === "" || !isForwarded ? url : `${site}/mj/image/${encodeURIComponent(upstreamId)}`;
}

/** An image task as administrators see it. */
export function toImageTask(task: Task, rule: ImageRule): ImageTask {
  const state = task.state ?? TaskState.fromPartial({});
  return {
    id: task.id,
    created_at: seconds(task.createdAtMs),
    code: state.code,
    user_id: task.userId,
    username: task.username,
    channel_id: task.account?.channelId ?? 0,
    action: task.action,
    mj_id: task.upstreamId,
    prompt: task.prompt,
    prompt_en: state.promptEn,
    description: state.description,
    state: task.clientState,
    submit_time: state.submitTimeMs,
    start_time: state.startTimeMs,
    finish_time: state.finishTimeMs,
    image_url: getImageUrl(task, rule),
    status: state.status,
    progress: state.progress,
    fail_reason: state.failReason,
    quota: task.quota,
    refunded_quota: task.refundedQuota,
    buttons: state.buttonsJson,
    properties: state.propertiesJson,
  };
}

function readData(json: string): unknown {
  try {
    return json === "" ? null : (JSON.parse(json) as unknown);
  } catch {
    return null;
  }
}

/** A task of another kind as administrators see it. */
export function toGenericTask(task: Task): GenericTask {
  const state = task.state ?? TaskState.fromPartial({});
  return {
    id: task.id,
    created_at: seconds(task.createdAtMs),
    updated_at: seconds(task.updatedAtMs),
    task_id: task.upstreamId,
    platform: task.platform,
    user_id: task.userId,
    username: task.username,
    channel_id: task.account?.channelId ?? 0,
    quota: task.quota,
    refunded_quota: task.refundedQuota,
    action: task.action,
    status: state.status,
    fail_reason: state.failReason,
    submit_time: seconds(state.submitTimeMs),
    start_time: seconds(state.startTimeMs),
    finish_time: seconds(state.finishTimeMs),
    progress: state.progress,
    properties: { input: task.prompt },
    data: readData(state.dataJson),
  };
}

/** The same as its owner sees it, without the channel. */
export const omitChannel = <Shown extends { readonly channel_id: number }>(task: Shown): Shown => ({
  ...task,
  channel_id: 0,
});
