import i18next from "i18next";
import { toast } from "sonner";
import { ApiError, describeError, requestIdOf } from "./api-error.ts";

/** A quiet word that something worked. */
export const notifySuccess = (message: string): void => void toast.success(message);

/** Says what went wrong; with the request id where somebody may need it. A lost session has its own page. */
export function notifyError(error: unknown): void {
  if (error instanceof ApiError && error.details.status === 401) return;
  const requestId = requestIdOf(error);
  const serious = error instanceof ApiError && (error.details.status ?? 200) >= 500 && requestId !== undefined;
  toast.error(describeError(error, i18next.t), serious ? { description: requestId } : {});
}
