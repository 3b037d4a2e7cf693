/** Floors of the auth service, lowest first: stores and rules, then sessions, then the ways to sign in, then administration. */
export default {
  root: "services/auth/src",
  floors: [
    ["audit", "codes", "outbox"],
    ["options", "prices", "users"],
    ["account-openings", "access-tokens", "admin-lookups", "limits", "rewards", "sessions"],
    ["registration", "two-factor"],
    ["sign-in"],
    ["oauth"],
    ["passkeys"],
    ["identity", "setup", "user-management"],
    ["auth.ts", "config.ts"],
    ["main.ts"],
  ],
};
