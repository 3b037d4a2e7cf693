import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import { Collapsible, CollapsibleContent, CollapsibleTrigger } from "../ui/collapsible.tsx";

type SectionProps = { readonly title: string; readonly children: ReactNode };

/** A part of a form that is always open. */
export function Section({ title, children }: SectionProps) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-4">
      <legend className="mb-3 text-sm font-semibold">{title}</legend>
      {children}
    </fieldset>
  );
}

type FoldedSectionProps = SectionProps & {
  readonly summary?: string;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
};

/** A section for advanced fields, closed by default; an invalid field inside opens it. */
export function FoldedSection({ title, summary, open, onOpenChange, children }: FoldedSectionProps) {
  return (
    <Collapsible open={open} onOpenChange={onOpenChange} className="rounded-lg border">
      <CollapsibleTrigger className="group flex w-full items-center justify-between gap-2 rounded-lg px-4 py-3 text-left text-sm font-semibold">
        <span>
          {title}
          {summary !== undefined && <span className="ml-2 font-normal text-muted-foreground">{summary}</span>}
        </span>
        <ChevronDown className="size-4 transition-transform group-data-[state=open]:rotate-180" aria-hidden />
      </CollapsibleTrigger>
      <CollapsibleContent className="flex flex-col gap-4 border-t px-4 py-4">{children}</CollapsibleContent>
    </Collapsible>
  );
}
