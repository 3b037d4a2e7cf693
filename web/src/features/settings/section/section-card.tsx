import type { ReactNode } from "react";
import { useUnsavedGuard } from "../../../components/form/use-unsaved-guard.ts";
import { Card } from "../../../components/ui/card.tsx";
import { SaveBar } from "./save-bar.tsx";
import type { SettingsSection } from "./use-settings-section.ts";

type SectionCardProps = {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly section: SettingsSection;
  readonly isWrong?: boolean;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

/** One section of the settings, with the bar that saves it. */
export function SectionCard({ id, title, description, section, isWrong = false, actions, children }: SectionCardProps) {
  useUnsavedGuard(section.changed.length > 0 && !section.save.isPending);
  return (
    <Card id={id} className="flex scroll-mt-4 flex-col gap-4" aria-labelledby={`${id}-title`}>
      <div className="flex flex-wrap items-start justify-between gap-2">
        <div>
          <h2 id={`${id}-title`} tabIndex={-1} className="font-semibold outline-none">
            {title}
          </h2>
          <p className="text-[13px] text-muted-foreground">{description}</p>
        </div>
        {actions}
      </div>
      {children}
      <SaveBar section={section} isWrong={isWrong} />
    </Card>
  );
}
