import { RelayError } from "../../core/errors/relay-error.ts";

/** What a submission requests: its action, and which of the four images it refers to. */
export type MidjourneyAction = { readonly action: string; readonly index: number };

/** The validation of a submission: its required fields, and whether it continues a task. */
export type SubmitKind = {
  readonly action: string;
  readonly needs: readonly string[];
  readonly mode: "new" | "change" | "simple-change" | "action" | "modal";
};

const fresh = (action: string, ...needs: string[]): SubmitKind => ({ action, needs, mode: "new" });

/** Submissions by their path after `/mj/`. */
export const SUBMISSIONS: Readonly<Record<string, SubmitKind>> = {
  "submit/imagine": fresh("IMAGINE", "prompt"),
  "submit/describe": fresh("DESCRIBE"),
  "submit/blend": fresh("BLEND", "base64Array"),
  "submit/shorten": fresh("SHORTEN", "prompt"),
  "submit/upload-discord-images": fresh("UPLOAD", "base64Array"),
  "submit/edits": fresh("EDITS", "prompt"),
  "submit/video": fresh("VIDEO"),
  "insight-face/swap": fresh("SWAP_FACE", "sourceBase64", "targetBase64"),
  "submit/change": { action: "", needs: ["taskId", "action"], mode: "change" },
  "submit/simple-change": { action: "", needs: ["content"], mode: "simple-change" },
  "submit/action": { action: "", needs: ["taskId", "customId"], mode: "action" },
  "submit/modal": { action: "MODAL", needs: ["taskId"], mode: "modal" },
};

const CHANGES = new Set(["UPSCALE", "VARIATION", "REROLL", "ZOOM", "PAN", "HIGH_VARIATION", "LOW_VARIATION"]);
const WITHOUT_INDEX = new Set(["REROLL"]);

const wrong = (param: string, text: string): RelayError => new RelayError("invalid_request", text, { param });

/** The action of a change; throws invalid_request for an unknown one or a missing image index. */
export function readChange(action: unknown, index: unknown): MidjourneyAction {
  const name = typeof action === "string" ? action.toUpperCase() : "";
  if (!CHANGES.has(name)) throw wrong("action", "action: unknown action");
  const number = Number(index ?? 0);
  if (!Number.isInteger(number) || number < 0 || (number === 0 && !WITHOUT_INDEX.has(name)))
    throw wrong("index", "index: index is required");
  return { action: name, index: number };
}

const SIMPLE = /^\s*(\S+)\s+(?:([UV])([1-4])|R)\s*$/i;

/** Parses a single-line change, such as `1320098173412546 U2`, into its task and action. */
export function readSimpleChange(content: string): MidjourneyAction & { readonly taskId: string } {
  const match = SIMPLE.exec(content);
  if (!match) throw wrong("content", "content: must be a task id and U1–U4, V1–V4 or R");
  const [, taskId = "", letter, digit] = match;
  if (letter === undefined) return { taskId, action: "REROLL", index: 0 };
  return { taskId, action: letter.toUpperCase() === "U" ? "UPSCALE" : "VARIATION", index: Number(digit) };
}

function findButtonAction(name: string): string | undefined {
  if (name.includes("upsample")) return "UPSCALE";
  if (name === "variation") return "VARIATION";
  if (name === "low_variation") return "LOW_VARIATION";
  if (name === "high_variation") return "HIGH_VARIATION";
  if (name.includes("pan")) return "PAN";
  if (name.includes("reroll")) return "REROLL";
  if (name === "Outpaint") return "ZOOM";
  if (name === "CustomZoom") return "CUSTOM_ZOOM";
  return name === "Inpaint" ? "INPAINT" : undefined;
}

/** The action of a button, whose id is like `MJ::JOB::upsample::2::3dbbd469`; throws invalid_request for unknown buttons. */
export function readCustomId(customId: string): MidjourneyAction {
  const parts = customId.split("::");
  const name = (parts[1] === "JOB" ? parts[2] : parts[1]) ?? "";
  const action = findButtonAction(name);
  if (action === undefined) throw wrong("customId", `customId: unknown action ${name.slice(0, 60)}`);
  const index = action === "UPSCALE" || action === "VARIATION" ? Number(parts[3]) : 1;
  if (!Number.isInteger(index)) throw wrong("customId", "customId: the index is no number");
  return { action, index };
}

/** The model name by which an action is routed and priced. */
export const getActionModel = (action: string): string =>
  action === "SWAP_FACE" ? "swap_face" : `mj_${action.toLowerCase()}`;

/** Actions that only open a dialog upstream: the following modal is charged. */
export const isFreeAction = (action: string): boolean => action === "INPAINT" || action === "CUSTOM_ZOOM";
