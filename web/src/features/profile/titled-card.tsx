import type { ReactNode } from "react";
import { Card, CardAction, CardContent, CardDescription, CardHeader, CardTitle } from "../../components/ui/card.tsx";

type TitledCardProps = {
  readonly title: string;
  readonly description?: string;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
};

/** A card of the account page: heading, actions at the right, content. */
export function TitledCard({ title, description, actions, children }: TitledCardProps) {
  return (
    <Card role="region" aria-label={title}>
      <CardHeader>
        <CardTitle>
          <h2>{title}</h2>
        </CardTitle>
        {description !== undefined && <CardDescription>{description}</CardDescription>}
        {actions !== undefined && <CardAction>{actions}</CardAction>}
      </CardHeader>
      {children && <CardContent className="flex flex-col gap-4 empty:hidden">{children}</CardContent>}
    </Card>
  );
}
