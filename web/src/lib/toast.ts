import i18next from "i18next";
import { create } from "zustand";
import { ApiError, describeError, getRequestId } from "./api/api-error.ts";

type Toast = {
  readonly kind: "success" | "error";
  readonly message: string;
  readonly description?: string;
  /** Takes the action back; the toast then has a button for it. */
  readonly undo?: () => Promise<unknown>;
};

type ToastState = {
  readonly waiting: readonly Toast[];
  /** The code that shows toasts is loaded with the first one. */
  readonly everUsed: boolean;
  readonly shown: () => void;
};

/** Toasts that wait to be shown; `shown` takes them. */
export const useToasts = create<ToastState>((set) => ({
  waiting: [],
  everUsed: false,
  shown: () => set({ waiting: [] }),
}));

const notify = (toast: Toast): void =>
  useToasts.setState(({ waiting }) => ({ waiting: [...waiting, toast], everUsed: true }));

/** A short message about a success. */
export const notifySuccess = (message: string): void => notify({ kind: "success", message });

/** A success of an action that loses nothing, with a button that takes it back. */
export const notifyUndoable = (message: string, undo: () => Promise<unknown>): void =>
  notify({ kind: "success", message, undo });

/** Shows an error, with the request id if it helps support. A lost session has its own page. */
export function notifyError(error: unknown): void {
  if (error instanceof ApiError && error.details.status === 401) return;
  const requestId = getRequestId(error);
  const serious = error instanceof ApiError && (error.details.status ?? 200) >= 500;
  const description = serious && requestId !== undefined ? { description: requestId } : {};
  notify({ kind: "error", message: describeError(error, i18next.t), ...description });
}

/** Shows an error with a context, when the response alone would be unclear. */
export const notifyProblem = (message: string, description: string): void =>
  notify({ kind: "error", message, description });
