import type { ReactNode } from "react";
import { cn } from "../../lib/utils.ts";

type IconProps = { readonly className?: string };

function Icon({ className, children }: IconProps & { readonly children: ReactNode }) {
  return (
    <svg viewBox="0 0 24 24" fill="currentColor" className={cn("size-4 shrink-0", className)} aria-hidden>
      {children}
    </svg>
  );
}

/** A branch that splits: code hosting. */
export const GitHubIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M7 3a3 3 0 0 0-1 5.83v6.34a3 3 0 1 0 2 0v-2.1c.9.58 2 .93 3.5.93h1c1.7 0 2.9-.5 3.6-1.4.5-.66.77-1.5.86-2.42A3 3 0 1 0 15 10.1c-.07.5-.22.87-.47 1.19-.3.4-.87.71-2.03.71h-1c-1.2 0-2-.28-2.5-.7-.55-.47-.87-1.2-.97-2.47A3 3 0 0 0 7 3Zm0 2a1 1 0 1 1 0 2 1 1 0 0 1 0-2Zm9 1.5a1 1 0 1 1 0 2 1 1 0 0 1 0-2ZM7 17a1 1 0 1 1 0 2 1 1 0 0 1 0-2Z" />
  </Icon>
);

/** Three bars in a disc: the LINUX DO community. */
export const LinuxDoIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M12 2a10 10 0 0 1 9.17 6H2.83A10 10 0 0 1 12 2Zm-10 8h20a10.07 10.07 0 0 1 0 4H2a10.07 10.07 0 0 1 0-4Zm.83 6h18.34a10 10 0 0 1-18.34 0Z" />
  </Icon>
);

/** Two speech bubbles: WeChat. */
export const WeChatIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M9 3.5c-4.1 0-7.5 2.7-7.5 6.1 0 1.9 1.1 3.6 2.8 4.7l-.7 2.2 2.6-1.4c.8.2 1.6.4 2.5.4h.5a5 5 0 0 1-.2-1.3c0-3.2 3.1-5.8 6.9-5.8h.5C15.8 5.6 12.7 3.5 9 3.5ZM6.6 8.6a.9.9 0 1 1 0-1.8.9.9 0 0 1 0 1.8Zm4.8 0a.9.9 0 1 1 0-1.8.9.9 0 0 1 0 1.8Zm11.1 5.6c0-2.8-2.8-5-6.2-5s-6.2 2.2-6.2 5 2.8 5 6.2 5c.7 0 1.4-.1 2-.3l2.1 1.2-.5-1.9c1.6-.9 2.6-2.4 2.6-4Zm-8.2-.9a.7.7 0 1 1 0-1.5.7.7 0 0 1 0 1.5Zm4 0a.7.7 0 1 1 0-1.5.7.7 0 0 1 0 1.5Z" />
  </Icon>
);
