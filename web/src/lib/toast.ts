import i18next from "i18next";
import { create } from "zustand";
import { ApiError, describeError, getRequestId } from "./api-error.ts";

type Toast = { readonly kind: "success" | "error"; readonly message: string; readonly description?: string };

type ToastState = {
  readonly waiting: readonly Toast[];
  /** The code that shows toasts is loaded once there has been one. */
  readonly everUsed: boolean;
  readonly shown: () => void;
};

/** Toasts that wait to be shown; `shown` is how they are taken. */
export const useToasts = create<ToastState>((set) => ({
  waiting: [],
  everUsed: false,
  shown: () => set({ waiting: [] }),
}));

const notify = (toast: Toast): void =>
  useToasts.setState(({ waiting }) => ({ waiting: [...waiting, toast], everUsed: true }));

/** A quiet word that something worked. */
export const notifySuccess = (message: string): void => notify({ kind: "success", message });

/** Says what went wrong; with the request id where somebody may need it. A lost session has its own page. */
export function notifyError(error: unknown): void {
  if (error instanceof ApiError && error.details.status === 401) return;
  const requestId = getRequestId(error);
  const serious = error instanceof ApiError && (error.details.status ?? 200) >= 500;
  const description = serious && requestId !== undefined ? { description: requestId } : {};
  notify({ kind: "error", message: describeError(error, i18next.t), ...description });
}

/** Says what went wrong where the answer alone would not be understood. */
export const notifyProblem = (message: string, description: string): void =>
  notify({ kind: "error", message, description });
