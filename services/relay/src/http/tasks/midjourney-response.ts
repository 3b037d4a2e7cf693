import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { type Task, TaskState } from "@turnpike/proto/billing/v1/task_service";
import { readStored } from "./json-fields.ts";

/** The value used if ServerAddress is not set. */
const LOCAL_ADDRESS = "http://localhost:3000";

/**
 * The URL of a task's image for callers: at this site, unless the site is configured to redirect to upstream's own URL.
 */
export function getImageUrl(task: Task, options: OptionsInForce, nowMs: number): string {
  const imageUrl = task.state?.imageUrl ?? "";
  if (imageUrl === "" || !options.flag("MjForwardUrlEnabled")) return imageUrl;
  const site = options.text("ServerAddress") || LOCAL_ADDRESS;
  const url = `${site}/mj/image/${encodeURIComponent(task.upstreamId)}`;
  // An image in progress changes, so that each poll must bypass caches.
  return task.state?.status === "SUCCESS" ? url : `${url}?rand=${nowMs}`;
}

/** A task in the format of Midjourney clients. */
export function writeMidjourneyTask(task: Task, options: OptionsInForce, nowMs: number) {
  const state = task.state ?? TaskState.fromPartial({});
  return {
    id: task.upstreamId,
    action: task.action,
    customId: task.customId,
    botType: task.botType,
    prompt: task.prompt,
    promptEn: state.promptEn,
    description: state.description,
    state: task.clientState,
    submitTime: state.submitTimeMs,
    startTime: state.startTimeMs,
    finishTime: state.finishTimeMs,
    imageUrl: getImageUrl(task, options, nowMs),
    status: state.status,
    progress: state.progress,
    failReason: state.failReason,
    buttons: readStored(state.buttonsJson, []),
    maskBase64: "",
    properties: readStored(state.propertiesJson, {}),
  };
}
