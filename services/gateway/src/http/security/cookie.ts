const SESSION_COOKIE = "session";
const SESSION_SECONDS = 30 * 24 * 3600;
/** A session id is 43 or 64 characters; a much longer value was not set by this site. */
const VALUE_LENGTH_MAX = 256;

/** A cookie of this site; undefined when it is absent or malformed. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const part of (header ?? "").split(";")) {
    const equals = part.indexOf("=");
    if (equals < 0 || part.slice(0, equals).trim() !== name) continue;
    const value = part.slice(equals + 1).trim();
    if (/^[\w.~+/=-]+$/.test(value) && value.length <= VALUE_LENGTH_MAX) return value;
  }
  return undefined;
}

/** The session id of a Cookie header; undefined when it is absent or malformed. */
export const readSessionCookie = (header: string | undefined): string | undefined => readCookie(header, SESSION_COOKIE);

/** The Set-Cookie value that stores a session for 30 days; scripts cannot read it and other sites cannot send it. */
export function sessionCookie(sessionId: string, isSecure: boolean): string {
  return `${SESSION_COOKIE}=${sessionId}; Path=/; Max-Age=${SESSION_SECONDS}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
}

/** The Set-Cookie value that deletes the session cookie. */
export const endedSessionCookie = (isSecure: boolean): string =>
  `${SESSION_COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
