import { Outlet } from "@tanstack/react-router";
import { Toaster } from "sonner";
import { ConfirmDialog } from "../components/confirm.tsx";
import { ManualCopyDialog } from "../components/copy.tsx";
import { TooltipProvider } from "../components/ui/tooltip.tsx";
import { useTheme } from "../lib/theme.ts";
import { ConnectionBar } from "./shell/connection-bar.tsx";

/** What lies around every page: the connection bar, toasts and the dialogs that any page may ask for. */
export function Root() {
  const dark = useTheme((state) => state.dark);
  return (
    <TooltipProvider delayDuration={300}>
      <div className="flex h-dvh flex-col">
        <ConnectionBar />
        <div className="min-h-0 flex-1">
          <Outlet />
        </div>
      </div>
      <ConfirmDialog />
      <ManualCopyDialog />
      <Toaster theme={dark ? "dark" : "light"} position="bottom-right" richColors={false} closeButton />
    </TooltipProvider>
  );
}
