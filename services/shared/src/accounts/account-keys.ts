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
};

/** An entry as it is kept. */
export const openEntryText = ({ amount, tokenId, relayId, settled, json }: OpenEntry): string =>
  `${amount}|${tokenId}|${relayId}|${settled ? 1 : 0}|${json}`;

/** Reads an entry; undefined when it is not of the protocol's form. */
export function parseOpenEntry(text: string): OpenEntry | undefined {
  const match = /^(\d+)\|(\d+)\|([^|]*)\|([01])\|(.*)$/s.exec(text);
  if (!match) return undefined;
  const [, amount, tokenId, relayId = "", settled, json = ""] = match;
  return { amount: Number(amount), tokenId: Number(tokenId), relayId, settled: settled === "1", json };
}
