import type { ReactNode } from "react";
import { PageHeader } from "./page-header.tsx";

type ListPageProps = {
  readonly title: string;
  readonly description: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

/** A page whose table fills the remaining height, so that its header and its paging stay visible. */
export function ListPage({ title, description, actions, children }: ListPageProps) {
  return (
    <div className="flex flex-col gap-4 sm:h-full sm:min-h-[26rem]">
      <PageHeader title={title} description={description} actions={actions} />
      {children}
    </div>
  );
}
