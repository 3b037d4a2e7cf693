import { z } from "zod";

const address = (standard: string) =>
  z.preprocess((value) => (value === "" ? undefined : value), z.url({ protocol: /^https?$/ }).default(standard));

/** Addresses of third parties; mirrors and GitHub Enterprise have their own. */
export const EndpointsConfig = z.object({
  GITHUB_AUTHORIZATION_ENDPOINT: address("https://github.com/login/oauth/authorize"),
  GITHUB_TOKEN_ENDPOINT: address("https://github.com/login/oauth/access_token"),
  GITHUB_USER_ENDPOINT: address("https://api.github.com/user"),
  LINUX_DO_AUTHORIZATION_ENDPOINT: address("https://connect.linux.do/oauth2/authorize"),
  LINUX_DO_TOKEN_ENDPOINT: address("https://connect.linux.do/oauth2/token"),
  LINUX_DO_USER_ENDPOINT: address("https://connect.linux.do/api/user"),
  TURNSTILE_VERIFY_ENDPOINT: address("https://challenges.cloudflare.com/turnstile/v0/siteverify"),
});
export type Endpoints = z.output<typeof EndpointsConfig>;
