/** Redis keys of the account protocol; see README.md here. */
export const accountKey = (userId: number): string => `acct:{${userId}}`;
export const openKey = (userId: number): string => `open:{${userId}}`;
export const tokenKey = (userId: number, tokenId: number): string => `tok:{${userId}}:${tokenId}`;
export const limitKey = (userId: number, name: string): string => `rl:{${userId}}:${name}`;
/** Sorted set: relay id → last heartbeat in unix ms. */
export const RELAYS_KEY = "relays";

/** The content of an open entry; `settled` means that `amount` is the real cost and the record is queued. */
export type OpenEntry = {
  readonly amount: number;
  readonly tokenId: number;
  readonly relayId: string;
  readonly settled: boolean;
  readonly json: string;
  /** The janitor posts it. */
  readonly isClaimed?: boolean;
};

/** The end of the ids of relays that sign their usage messages; relays of the version before do not. */
export const SIGNING_RELAY = "-signing";

/** Prefix of the relay id in an entry that the janitor has claimed. */
const CLAIMED = "!";

/** An entry in its stored form. */
export const openEntryText = ({ amount, tokenId, relayId, settled, json }: OpenEntry): string =>
  `${amount}|${tokenId}|${relayId}|${settled ? 1 : 0}|${json}`;

/** Parses an entry; undefined when it does not have the protocol's form. */
export function parseOpenEntry(text: string): OpenEntry | undefined {
  const match = /^(\d+)\|(\d+)\|([^|]*)\|([01])\|(.*)$/s.exec(text);
  if (!match) return undefined;
  const [, amount, tokenId, owner = "", settled, json = ""] = match;
  const isClaimed = owner.startsWith(CLAIMED);
  const entry = { amount: Number(amount), tokenId: Number(tokenId), settled: settled === "1", json };
  return { ...entry, relayId: isClaimed ? owner.slice(CLAIMED.length) : owner, ...(isClaimed ? { isClaimed } : {}) };
}
