import type { CSSProperties } from "react";
import { Toaster as Sonner, type ToasterProps } from "sonner";
import { useTheme } from "@/lib/theme";

// sonner reads its colours from custom properties, which React's style type does not list.
const colours: CSSProperties & Readonly<Record<`--${string}`, string>> = {
  "--normal-bg": "var(--popover)",
  "--normal-text": "var(--popover-foreground)",
  "--normal-border": "var(--border)",
  "--border-radius": "var(--radius)",
};

/** The container of toasts, in the console's theme. */
function Toaster(props: ToasterProps) {
  const dark = useTheme((state) => state.dark);
  return <Sonner theme={dark ? "dark" : "light"} className="toaster group" style={colours} {...props} />;
}

export { Toaster };
