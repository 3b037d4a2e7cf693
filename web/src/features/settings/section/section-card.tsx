import type { ReactNode } from "react";
import { useUnsavedGuard } from "../../../components/form/use-unsaved-guard.ts";
import { Card, CardAction, CardContent, CardDescription, CardHeader, CardTitle } from "../../../components/ui/card.tsx";
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

/** One section of the settings, with its save bar. */
export function SectionCard({ id, title, description, section, isWrong = false, actions, children }: SectionCardProps) {
  useUnsavedGuard(section.changed.length > 0 && !section.save.isPending);
  return (
    <Card id={id} data-settings-section role="region" className="scroll-mt-4" aria-labelledby={`${id}-title`}>
      <CardHeader>
        <CardTitle>
          <h2 id={`${id}-title`} tabIndex={-1} className="outline-none">
            {title}
          </h2>
        </CardTitle>
        <CardDescription>{description}</CardDescription>
        {actions !== undefined && <CardAction>{actions}</CardAction>}
      </CardHeader>
      <CardContent className="flex flex-col gap-4">
        {children}
        <SaveBar section={section} isWrong={isWrong} />
      </CardContent>
    </Card>
  );
}
