import { type ComponentProps, createContext, type KeyboardEvent, useContext, useId, useMemo } from "react";
import { cn } from "../../lib/cn.ts";

type TabsState = {
  readonly id: string;
  readonly value: string;
  readonly choose: (value: string) => void;
};

const TabsContext = createContext<TabsState>({ id: "", value: "", choose: () => undefined });

const tabId = (id: string, value: string): string => `${id}-tab-${value}`;
const panelId = (id: string, value: string): string => `${id}-panel-${value}`;

type TabsProps = ComponentProps<"div"> & {
  readonly value: string;
  readonly onValueChange: (value: string) => void;
};

/** Several views of which one shows. Arrow keys, Home and End go from tab to tab. */
export function Tabs({ value, onValueChange, ...props }: TabsProps) {
  const id = useId();
  const state = useMemo(() => ({ id, value, choose: onValueChange }), [id, value, onValueChange]);
  return (
    <TabsContext value={state}>
      <div {...props} />
    </TabsContext>
  );
}

const TARGETS: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowRight: (index, count) => (index + 1) % count,
  ArrowLeft: (index, count) => (index + count - 1) % count,
  Home: () => 0,
  End: (_index, count) => count - 1,
};

function goToTab(event: KeyboardEvent<HTMLElement>): void {
  const target = TARGETS[event.key];
  if (!target) return;
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=tab]")];
  const index = tabs.findIndex((tab) => tab === document.activeElement);
  if (index < 0) return;
  event.preventDefault();
  const next = tabs[target(index, tabs.length)];
  next?.focus();
  next?.click();
}

export function TabsList({ className, ...props }: ComponentProps<"div">) {
  return (
    <div
      role="tablist"
      className={cn(
        "inline-flex max-w-full items-center self-start gap-1 overflow-x-auto rounded-lg bg-muted p-1",
        className,
      )}
      onKeyDown={goToTab}
      {...props}
    />
  );
}

export function TabsTrigger({ className, value, ...props }: ComponentProps<"button"> & { readonly value: string }) {
  const tabs = useContext(TabsContext);
  const isChosen = tabs.value === value;
  return (
    <button
      type="button"
      role="tab"
      id={tabId(tabs.id, value)}
      aria-selected={isChosen}
      aria-controls={isChosen ? panelId(tabs.id, value) : undefined}
      tabIndex={isChosen ? 0 : -1}
      className={cn(
        "rounded-md px-2.5 py-1 text-[13px] font-medium whitespace-nowrap text-muted-foreground hover:text-foreground focus-visible:-outline-offset-2 aria-selected:bg-background aria-selected:text-foreground",
        className,
      )}
      onClick={() => tabs.choose(value)}
      {...props}
    />
  );
}

/** What shows while its tab is the chosen one. */
export function TabsContent({ className, value, ...props }: ComponentProps<"div"> & { readonly value: string }) {
  const tabs = useContext(TabsContext);
  if (tabs.value !== value) return null;
  return (
    <div
      role="tabpanel"
      id={panelId(tabs.id, value)}
      aria-labelledby={tabId(tabs.id, value)}
      tabIndex={0}
      className={cn("outline-none", className)}
      {...props}
    />
  );
}
