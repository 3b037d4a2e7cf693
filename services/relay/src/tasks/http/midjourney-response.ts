import type { IncomingMessage } from "node:http";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { type Task, TaskState } from "@turnpike/proto/billing/v1/task_service";
import { readStored } from "../wire/json-fields.ts";

/** What decides a task's image URL: the options, the time, and the address at which the caller reaches this site. */
export type ImageUrlRule = { readonly options: OptionsInForce; readonly site: string; readonly nowMs: number };

const readHeader = (value: string | string[] | undefined): string | undefined =>
  (Array.isArray(value) ? value[0] : value)?.split(",")[0]?.trim();

/**
 * The address at which a caller reaches this site: ServerAddress, else that of the request as the gateway or another
 * proxy reports it. A forged header changes nothing but the response to its own sender.
 */
export function getSiteAddress({ headers }: IncomingMessage, options: OptionsInForce): string {
  const configured = options.text("ServerAddress");
  if (configured !== "") return configured;
  const scheme = readHeader(headers["x-forwarded-proto"]) === "https" ? "https" : "http";
  return `${scheme}://${readHeader(headers["x-forwarded-host"]) ?? headers.host ?? ""}`;
}

/**
 * The URL of a task's image for callers: at this site, unless the site is configured to redirect to upstream's own URL.
 */
export function getImageUrl(task: Task, { options, site, nowMs }: ImageUrlRule): string {
  const imageUrl = task.state?.imageUrl ?? "";
  if (imageUrl === "" || !options.flag("MjForwardUrlEnabled")) return imageUrl;
  const url = `${site}/mj/image/${encodeURIComponent(task.upstreamId)}`;
  // An image in progress changes, so that each poll must bypass caches.
  return task.state?.status === "SUCCESS" ? url : `${url}?rand=${nowMs}`;
}

/** A task in the format of Midjourney clients. */
export function writeMidjourneyTask(task: Task, rule: ImageUrlRule) {
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
    imageUrl: getImageUrl(task, rule),
    status: state.status,
    progress: state.progress,
    failReason: state.failReason,
    buttons: readStored(state.buttonsJson, []),
    maskBase64: "",
    properties: readStored(state.propertiesJson, {}),
  };
}
