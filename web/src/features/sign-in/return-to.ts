const LANDING = "/app/tokens";

/** The page after sign-in: an address of this console, else the default landing page. Never another site. */
export function toSafeReturnAddress(returnTo: string | undefined): string {
  if (returnTo === undefined || !/^\/(?![/\\])/.test(returnTo)) return LANDING;
  return returnTo.startsWith("/login") || returnTo.startsWith("/setup") ? LANDING : returnTo;
}
