const LANDING = "/app/tokens";

/** Where to go after sign-in: an address of this console, else the usual landing page. Never another site. */
export function toSafeReturnAddress(returnTo: string | undefined): string {
  if (returnTo === undefined || !/^\/(?![/\\])/.test(returnTo)) return LANDING;
  return returnTo.startsWith("/login") || returnTo.startsWith("/setup") ? LANDING : returnTo;
}
