import type { ReactNode } from "react";
import { Card } from "../../components/ui/card.tsx";

type TitledCardProps = {
  readonly title: string;
  readonly description?: string;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
};

/** One matter of the account with its heading; its actions at the right. */
export function TitledCard({ title, description, actions, children }: TitledCardProps) {
  return (
    <Card className="flex flex-col gap-4" aria-label={title}>
      <div className="flex flex-wrap items-start justify-between gap-2">
        <div className="min-w-0">
          <h2 className="font-semibold">{title}</h2>
          {description !== undefined && <p className="text-[13px] text-muted-foreground">{description}</p>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
      {children}
    </Card>
  );
}
