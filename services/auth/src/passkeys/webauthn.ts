/** Verifies passkeys. Loaded at its first use: it takes a fifth of the service's start, and not every install has passkeys. */
export const loadWebauthn = () => import("@simplewebauthn/server");
