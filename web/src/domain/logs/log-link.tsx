import { LOG_TYPE } from "@turnpike/contract/codes";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

/** The filters of the log that a figure was summed with; times are unix seconds, the end excluded. */
export type FigureFilter = {
  readonly failed?: boolean;
  readonly username?: string | undefined;
  readonly model?: string | undefined;
  readonly token?: string | undefined;
  readonly channel?: number | undefined;
  readonly span?: { readonly startSeconds: number; readonly endSeconds: number } | undefined;
};

/** The search parameters of the log with the rows behind a figure: charged calls, or failed ones. */
export const toLogSearch = ({ failed = false, username, model, token, channel, span }: FigureFilter) => ({
  type: failed ? LOG_TYPE.error : LOG_TYPE.consume,
  username,
  model,
  token,
  channel,
  // The log includes both ends.
  ...(span === undefined
    ? { range: "all" as const }
    : { range: "custom" as const, start: span.startSeconds, end: span.endSeconds - 1 }),
});

type LogLinkProps = { readonly filter: FigureFilter; readonly children: ReactNode };

/** A figure that leads to the rows it was summed from. */
export function LogLink({ filter, children }: LogLinkProps) {
  return (
    <Link to="/app/logs/api-usage" search={toLogSearch(filter)} className="underline-offset-4 hover:underline">
      {children}
    </Link>
  );
}
