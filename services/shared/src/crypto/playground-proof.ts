import { createHmac, timingSafeEqual } from "node:crypto";

/** The user whose playground a call comes from, with the time and the gateway's proof. */
export const PLAYGROUND_HEADER = "x-turnpike-playground";

const AGE_SECONDS_MAX = 60;
const FORM = /^(\d{1,15})\.(\d{1,12})\.([0-9a-f]{64})$/;

// The purpose is part of the signed text, so no other proof can be used as one of these.
const sign = (internalSecret: string, userId: string, atSeconds: string): string =>
  createHmac("sha256", internalSecret).update(`playground ${userId} ${atSeconds}`).digest("hex");

/** The header's value for a user, valid for a minute. */
export function makePlaygroundProof(internalSecret: string, userId: number, nowSeconds: number): string {
  const [id, at] = [String(userId), String(nowSeconds)];
  return `${id}.${at}.${sign(internalSecret, id, at)}`;
}

/** The user that the header names; undefined for a proof that is forged or expired. */
export function readPlaygroundProof(internalSecret: string, header: string, nowSeconds: number): number | undefined {
  const [, userId, atSeconds, proof] = FORM.exec(header) ?? [];
  if (userId === undefined || atSeconds === undefined || proof === undefined) return undefined;
  if (Math.abs(nowSeconds - Number(atSeconds)) > AGE_SECONDS_MAX) return undefined;
  const expected = Buffer.from(sign(internalSecret, userId, atSeconds));
  return timingSafeEqual(expected, Buffer.from(proof)) ? Number(userId) : undefined;
}
