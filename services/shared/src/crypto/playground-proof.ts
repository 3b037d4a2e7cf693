import { createHmac, timingSafeEqual } from "node:crypto";

/** Whose playground a call comes from, as the gateway found out; with the time and the proof that it was the gateway. */
export const PLAYGROUND_HEADER = "x-turnpike-playground";

const AGE_SECONDS_MAX = 60;
const FORM = /^(\d{1,15})\.(\d{1,12})\.([0-9a-f]{64})$/;

// The purpose is part of what is signed: no other proof of ours can be taken for one of these.
const sign = (internalSecret: string, userId: string, atSeconds: string): string =>
  createHmac("sha256", internalSecret).update(`playground ${userId} ${atSeconds}`).digest("hex");

/** The header's value for a person, good for a minute. */
export function makePlaygroundProof(internalSecret: string, userId: number, nowSeconds: number): string {
  const [id, at] = [String(userId), String(nowSeconds)];
  return `${id}.${at}.${sign(internalSecret, id, at)}`;
}

/** The person that the header names; undefined for whoever does not know the internal secret, and for a proof that is old. */
export function readPlaygroundProof(internalSecret: string, header: string, nowSeconds: number): number | undefined {
  const [, userId, atSeconds, proof] = FORM.exec(header) ?? [];
  if (userId === undefined || atSeconds === undefined || proof === undefined) return undefined;
  if (Math.abs(nowSeconds - Number(atSeconds)) > AGE_SECONDS_MAX) return undefined;
  const expected = Buffer.from(sign(internalSecret, userId, atSeconds));
  return timingSafeEqual(expected, Buffer.from(proof)) ? Number(userId) : undefined;
}
