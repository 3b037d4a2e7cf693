import { Link } from "@tanstack/react-router";
import { useSiteStatus } from "../lib/status.ts";

function Mark() {
  return (
    <svg viewBox="0 0 32 32" className="size-6 shrink-0" aria-hidden>
      <path d="M9 29V8" stroke="currentColor" strokeWidth="3" strokeLinecap="round" />
      <path d="M9 13 28 8" stroke="currentColor" strokeWidth="3" strokeLinecap="round" />
      <circle cx="9" cy="6.5" r="4" fill="var(--primary)" />
    </svg>
  );
}

/** The site's logo and name, linked to the home page. */
export function Logo() {
  const status = useSiteStatus();
  return (
    <Link to="/" className="flex min-w-0 items-center gap-2 rounded-md font-semibold text-foreground">
      {status?.logo ? <img src={status.logo} alt="" className="size-6 rounded-sm" /> : <Mark />}
      <span className="truncate">{status?.system_name ?? "Turnpike"}</span>
    </Link>
  );
}
