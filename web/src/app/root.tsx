import { Outlet } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { useConfirm } from "../components/confirm.ts";
import { useManualCopy } from "../components/copy-text.ts";
import { usePasswordWarning } from "../lib/session/password-warning.ts";
import { useToasts } from "../lib/toast.ts";
import { ConnectionBar } from "./shell/connection-bar.tsx";

const ToastQueue = lazy(async () => ({ default: (await import("../components/toast-queue.tsx")).ToastQueue }));
const ConfirmDialog = lazy(async () => ({ default: (await import("../components/confirm-dialog.tsx")).ConfirmDialog }));
const ManualCopyDialog = lazy(async () => ({
  default: (await import("../components/manual-copy-dialog.tsx")).ManualCopyDialog,
}));

const PasswordWarning = lazy(async () => ({ default: (await import("./password-warning.tsx")).PasswordWarning }));

/** Dialogs that any page may open. Their code is loaded on first use. */
function OnDemand() {
  const toasts = useToasts((state) => state.everUsed);
  const question = useConfirm((state) => state.question !== undefined);
  const copying = useManualCopy((state) => state.value !== undefined);
  const passwordWarning = usePasswordWarning((state) => state.isDue);
  return (
    <>
      <Suspense>{passwordWarning && <PasswordWarning />}</Suspense>
      <Suspense>{toasts && <ToastQueue />}</Suspense>
      <Suspense>{question && <ConfirmDialog />}</Suspense>
      <Suspense>{copying && <ManualCopyDialog />}</Suspense>
    </>
  );
}

/** The frame of every page: the connection bar, toasts and the dialogs that any page may open. */
export function Root() {
  return (
    <>
      <div className="flex h-dvh flex-col">
        <ConnectionBar />
        <div className="min-h-0 flex-1">
          <Outlet />
        </div>
      </div>
      <OnDemand />
    </>
  );
}
