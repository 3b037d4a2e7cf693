import { AppError } from "@turnpike/shared/errors/app-error";
import type { Logger } from "@turnpike/shared/log/log";
import { type CryptoKey, createLocalJWKSet, errors, type FlattenedJWSInput, type JWSHeaderParameters } from "jose";
import type { FetchKeySet, IssuerAddress } from "./issuer-documents.ts";

/** Keys older than this are fetched again while they stay in use. */
const FRESH_MS = 10 * 60_000;
/** How long keys stay in use while their issuer cannot be reached. */
const KEPT_MS = 24 * 3_600_000;
/** Shortest time between two fetches of one issuer, also for unknown key ids. */
const FETCH_INTERVAL_MS = 10_000;

type KeyLookup = ReturnType<typeof createLocalJWKSet>;
type Deps = { readonly fetchKeySet: FetchKeySet; readonly nowMs: () => number; readonly log: Logger };

/**
 * The keys of one issuer, in memory. They are fetched again in the background when they are old, and at once for an
 * unknown key id, but never more often than every 10 seconds: a flood of unknown ids does not reach the issuer.
 */
export class IssuerKeys {
  readonly #deps: Deps;
  readonly #issuer: IssuerAddress;
  #keys: { readonly find: KeyLookup; readonly fetchedAtMs: number } | undefined;
  #attemptedAtMs = -Infinity;
  /** Whether the latest fetch failed: an unknown key id may then be a new key. */
  #isDown = false;
  #running: Promise<void> | undefined;

  constructor(deps: Deps, issuer: IssuerAddress) {
    this.#deps = deps;
    this.#issuer = issuer;
  }

  /**
   * The key of a signature. Throws unavailable while there are no keys, and for an unknown key id while the issuer is
   * down; jose's error when no key fits.
   */
  async find(header: JWSHeaderParameters, jws: FlattenedJWSInput): Promise<CryptoKey> {
    const find = await this.#getKeys();
    try {
      return await find(header, jws);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      const newer = await this.#getNewerKeys(find);
      if (newer) return newer(header, jws);
      throw this.#isDown ? this.#unavailable() : error;
    }
  }

  async #getKeys(): Promise<KeyLookup> {
    const ageMs = this.#deps.nowMs() - (this.#keys?.fetchedAtMs ?? -Infinity);
    if (this.#keys && ageMs < KEPT_MS) {
      if (ageMs >= FRESH_MS) this.#fetchIfDue()?.catch(() => undefined);
      return this.#keys.find;
    }
    this.#keys = undefined;
    await this.#fetchIfDue()?.catch(() => undefined);
    // A fetch that began above has set them.
    const fetched = this.#keys as { readonly find: KeyLookup } | undefined;
    if (fetched) return fetched.find;
    throw this.#unavailable();
  }

  #unavailable(): AppError {
    return new AppError("unavailable", `the keys of ${this.#issuer.issuer} cannot be read`);
  }

  /** The keys after a fetch for an unknown key id; undefined when it is too early for one, or it failed. */
  async #getNewerKeys(known: KeyLookup): Promise<KeyLookup | undefined> {
    await this.#fetchIfDue()?.catch(() => undefined);
    return this.#keys?.find === known ? undefined : this.#keys?.find;
  }

  /** The running fetch, or a new one; undefined when the last one began too recently. Rejects when it fails. */
  #fetchIfDue(): Promise<void> | undefined {
    const now = this.#deps.nowMs();
    if (this.#running || now - this.#attemptedAtMs < FETCH_INTERVAL_MS) return this.#running;
    this.#attemptedAtMs = now;
    this.#running = this.#fetch().finally(() => (this.#running = undefined));
    return this.#running;
  }

  async #fetch(): Promise<void> {
    const { fetchKeySet, log, nowMs } = this.#deps;
    const { issuer } = this.#issuer;
    try {
      const find = createLocalJWKSet(await fetchKeySet(this.#issuer));
      this.#keys = { find, fetchedAtMs: nowMs() };
      this.#isDown = false;
    } catch (error) {
      this.#isDown = true;
      log.warn({ err: error, issuer, hasKeys: this.#keys !== undefined }, "issuer keys could not be fetched");
      throw error;
    }
  }
}
