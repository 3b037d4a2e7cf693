import type { Visitor } from "@turnpike/proto/auth/v1/auth_service";
import type { Actor } from "@turnpike/shared/grpc/context";
import { type AuthWorld, PASSWORD } from "./auth-world.ts";

/** A browser at the door; each address of the tests is one of its own, so that limits do not meet. */
export const visitor = (overrides: Partial<Visitor> = {}): Visitor => ({
  address: "",
  userAgent: "a browser of the tests",
  browserId: "browser one",
  turnstileToken: "",
  language: "en",
  ...overrides,
});

/** Stores options as root. */
export async function setOptions(
  world: Pick<AuthWorld, "client">,
  root: { actor: Actor },
  values: Record<string, string>,
): Promise<void> {
  for (const [key, value] of Object.entries(values)) await world.client.setOption({ key, value }, root);
}

/** A registration form that is right but for what the test changes. */
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

/** Forgets the limits on tries and mails, as if time had passed. */
export async function letTimePass(world: Pick<AuthWorld, "redis" | "backing">): Promise<void> {
  const prefix = `${world.backing.namespace}:`;
  const keys = await world.redis.keys(`${prefix}attempts:*`);
  for (const key of keys) await world.redis.del(key.slice(prefix.length));
}
