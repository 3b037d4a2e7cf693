import type { Visitor } from "@turnpike/proto/auth/v1/auth_service";
import type { Actor } from "@turnpike/shared/grpc/context";
import { type AuthWorld, PASSWORD } from "./auth-world.ts";

/** A browser as auth sees it; each address is unique to a test, so that limits do not interfere. */
export const visitor = (overrides: Partial<Visitor> = {}): Visitor => ({
  address: "",
  userAgent: "a browser of the tests",
  browserId: "browser one",
  turnstileToken: "",
  language: "en",
  ...overrides,
});

/** Saves options as root. */
export async function setOptions(
  world: Pick<AuthWorld, "client">,
  root: { actor: Actor },
  values: Record<string, string>,
): Promise<void> {
  for (const [key, value] of Object.entries(values)) await world.client.setOption({ key, value }, root);
}

/** A valid registration form, except for what the test changes. */
export const form = (overrides: Record<string, unknown> = {}) => ({
  username: "newcomer",
  password: PASSWORD,
  email: "",
  verificationCode: "",
  affCode: "",
  visitor: visitor(),
  ...overrides,
});

/** The parameter of the last mail to an address, such as its code or link. */
export function mailed(world: Pick<AuthWorld, "messaging">, to: string, param: string): string {
  const mail = world.messaging.mails.findLast((candidate) => candidate.to === to);
  if (!mail) throw new Error(`no mail to ${to}`);
  return mail.params[param] ?? "";
}

/** Clears the limits on attempts and mails, as if time had passed. */
export async function letTimePass(world: Pick<AuthWorld, "redis" | "backing">): Promise<void> {
  const prefix = `${world.backing.namespace}:`;
  const keys = await world.redis.keys(`${prefix}attempts:*`);
  for (const key of keys) await world.redis.del(key.slice(prefix.length));
}
