import { z } from "zod";

const address = (standard: string) =>
  z.preprocess((value) => (value === "" ? undefined : value), z.url({ protocol: /^https?$/ }).default(standard));

/** Addresses of third parties; mirrors and GitHub Enterprise have their own. */
export const EndpointsConfig = z.object({
  /** Page of GitHub, GitHub Enterprise or a mirror where users agree to the sign-in. */
  GITHUB_AUTHORIZATION_ENDPOINT: address("https://github.com/login/oauth/authorize"),
  /** Where GitHub exchanges a code for a token. */
  GITHUB_TOKEN_ENDPOINT: address("https://github.com/login/oauth/access_token"),
  /** Where GitHub returns the user of a token. */
  GITHUB_USER_ENDPOINT: address("https://api.github.com/user"),
  /** Page of LINUX DO where users agree to the sign-in. */
  LINUX_DO_AUTHORIZATION_ENDPOINT: address("https://connect.linux.do/oauth2/authorize"),
  /** Where LINUX DO exchanges a code for a token. */
  LINUX_DO_TOKEN_ENDPOINT: address("https://connect.linux.do/oauth2/token"),
  /** Where LINUX DO returns the user of a token. */
  LINUX_DO_USER_ENDPOINT: address("https://connect.linux.do/api/user"),
  /** Where responses of Turnstile are verified. */
  TURNSTILE_VERIFY_ENDPOINT: address("https://challenges.cloudflare.com/turnstile/v0/siteverify"),
});
export type Endpoints = z.output<typeof EndpointsConfig>;
