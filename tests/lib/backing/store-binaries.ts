import { findCached } from "../../../scripts/backing/fetch-binary.ts";
import { findOnPath } from "../../../scripts/backing/find-on-path.ts";

/** The path of a server's program: on PATH, or where `make up` has put it. Throws if it is nowhere. */
export function findBinary(name: string): string {
  const found = findOnPath(name) ?? findCached(name);
  if (found === undefined) throw new Error(`${name} is not installed: run \`make up\` once, or install it`);
  return found;
}
