import type { TaskState } from "@turnpike/proto/billing/v1/task_service";
import type { StoredState } from "../store/task-document.ts";

const TEXT_LENGTH_MAX = 10_000;
/** A page of a hundred tasks fits into one RPC response. */
const JSON_LENGTH_MAX = 128 * 1024;

export const NO_STATE: StoredState = {
  status: "",
  progress: "0%",
  failReason: "",
  submitTimeMs: 0,
  startTimeMs: 0,
  finishTimeMs: 0,
  imageUrl: "",
  promptEn: "",
  description: "",
  buttonsJson: "",
  propertiesJson: "",
  code: 0,
  dataJson: "",
};

export const cutText = (text: string): string => text.slice(0, TEXT_LENGTH_MAX);
/** Truncated JSON would be invalid: oversized values are omitted. */
const cutJson = (text: string): string => (text.length > JSON_LENGTH_MAX ? "" : text);

/**
 * The end state of a task from the upstream's status; undefined while it runs. A failure reason before the end is a
 * failure.
 */
export function getEnd({ status, failReason, progress }: TaskState): "success" | "failure" | undefined {
  if (status === "SUCCESS") return "success";
  if (status === "FAILURE") return "failure";
  return failReason !== "" && progress !== "100%" ? "failure" : undefined;
}

const given = <Value extends string | number>(value: Value, none: Value): Value | undefined =>
  value === none ? undefined : value;

/** The fields to write: only what the upstream reported, so that a shorter report removes nothing. */
export function toChanges(state: TaskState, nowMs: number): Partial<StoredState> {
  const end = getEnd(state);
  const reported: { readonly [Name in keyof StoredState]: StoredState[Name] | undefined } = {
    status: end === "failure" ? "FAILURE" : given(state.status.slice(0, 40), ""),
    progress: end ? "100%" : given(state.progress.slice(0, 10), ""),
    failReason: given(cutText(state.failReason), ""),
    submitTimeMs: given(state.submitTimeMs, 0),
    startTimeMs: given(state.startTimeMs, 0),
    finishTimeMs: end ? state.finishTimeMs || nowMs : given(state.finishTimeMs, 0),
    imageUrl: given(cutText(state.imageUrl), ""),
    promptEn: given(cutText(state.promptEn), ""),
    description: given(cutText(state.description), ""),
    buttonsJson: given(cutJson(state.buttonsJson), ""),
    propertiesJson: given(cutJson(state.propertiesJson), ""),
    code: given(state.code, 0),
    dataJson: given(cutJson(state.dataJson), ""),
  };
  return Object.fromEntries(Object.entries(reported).filter(([, value]) => value !== undefined));
}
