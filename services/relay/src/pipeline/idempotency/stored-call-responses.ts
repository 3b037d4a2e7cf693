import type { SecretBox } from "@turnpike/shared/crypto/secret-box";
import type { Redis } from "@turnpike/shared/redis/redis";
import { defineScript } from "@turnpike/shared/redis/script";
import { CLAIM, KEEP, READ, RELEASE, RESERVE, TAKE_OVER } from "./idempotency-scripts.ts";
import type { Ending, Head } from "../../core/call/detached-response.ts";

/** An idempotency key of one user, by its hash. */
export type KeyId = { readonly userId: number; readonly hash: string };

/** How much is stored at most, in bytes: of one response, of one user's, and of all users'. */
export type Bounds = { readonly response: number; readonly user: number; readonly all: number };

/** The result of a claim: the call is the caller's to run, too much is stored, or the key was used before. */
export type Claim = { readonly outcome: "claimed" } | { readonly outcome: "full" } | KnownCall;

/** The record of the first call with a key. */
export type KnownCall = {
  readonly outcome: "known";
  readonly fingerprint: string;
  readonly relayId: string;
  readonly requestId: string;
  readonly state: string;
};

/** What is stored of a response, from the given piece on; `state` is undefined if its call failed without a charge. */
export type StoredCallResponse = {
  readonly state: string | undefined;
  readonly relayId: string;
  /** Changes while the relay runs the call. */
  readonly beat: string | undefined;
  readonly head: Head | undefined;
  readonly pieces: readonly Buffer[];
  readonly ending: Ending | undefined;
};

/** What is appended to a response; `before` is the number of pieces stored before, and `ending` ends it. */
export type Addition = {
  readonly head?: Head;
  readonly piece: Buffer;
  readonly ending?: Ending;
  readonly before: number;
};

type Deps = {
  readonly redis: Redis;
  readonly relayId: string;
  readonly secretBox: SecretBox;
  readonly bounds: Bounds;
  readonly now: () => number;
};

const STORED_SECONDS = 86_400;
const HOUR_MS = 3_600_000;
/** What a record occupies without its response. */
const RECORD_BYTES = 512;
/** The largest number of bytes of a response that is not stored any more. */
const DROPPED = -1;
const ALL_BYTES_KEY = "idem:bytes";

const recordKey = ({ userId, hash }: KeyId): string => `idem:{${userId}}:${hash}`;
const piecesKey = (id: KeyId): string => `${recordKey(id)}:pieces`;
const bytesKey = ({ userId }: KeyId): string => `idem:{${userId}}:bytes`;
const getKeys = (id: KeyId): (string | number)[] => [3, recordKey(id), piecesKey(id), bytesKey(id)];

/** Seals that are bound to their record. */
const createSeals = (secretBox: SecretBox) => ({
  seal: (id: KeyId, text: string): string => secretBox.seal(`${id.hash} ${text}`),
  open(id: KeyId, sealed: string): string {
    const text = secretBox.open(sealed);
    if (!text.startsWith(`${id.hash} `)) throw new Error("a stored response belongs to another call");
    return text.slice(id.hash.length + 1);
  },
});

/** The reply of READ: state, relay id, head, end and beat of the record, then the pieces. */
type StoredReply = readonly [readonly (string | null)[], readonly string[]];

function toStoredResponse([fields, pieces]: StoredReply, open: (sealed: string) => string): StoredCallResponse {
  const [state, owner, head, ending, beat] = fields;
  return {
    state: state ?? undefined,
    relayId: owner ?? "",
    beat: beat ?? undefined,
    head: head ? (JSON.parse(open(head)) as Head) : undefined,
    pieces: pieces.map((piece) => Buffer.from(open(piece), "base64")),
    ending: ending ? (JSON.parse(open(ending)) as Ending) : undefined,
  };
}

/**
 * Responses to calls with an idempotency key, in Redis for 24 hours: sealed, and bounded per response, per user and in
 * all. All methods reject while Redis is down.
 */
export function createStoredCallResponses({ redis, relayId, secretBox, bounds, now }: Deps) {
  const [runClaim, runKeep, runRead, runRelease, runTakeOver, runReserve] = [
    CLAIM,
    KEEP,
    READ,
    RELEASE,
    TAKE_OVER,
    RESERVE,
  ].map((lua) => defineScript(redis, lua)) as [Script, Script, Script, Script, Script, Script];
  const getHour = (): number => Math.floor(now() / HOUR_MS);
  const getLastHour = (): number => getHour() + STORED_SECONDS / 3_600 + 1;
  const { seal, open } = createSeals(secretBox);
  const reserve = async (bytes: number): Promise<boolean> =>
    (await runReserve(1, ALL_BYTES_KEY, bytes, bounds.all, getLastHour(), getHour())) === 1;
  return {
    async claim(id: KeyId, fingerprint: string, requestId: string): Promise<Claim> {
      if (!(await reserve(RECORD_BYTES))) return { outcome: "full" };
      const limits = [STORED_SECONDS, bounds.user, RECORD_BYTES, getLastHour(), getHour()];
      const reply = await runClaim(2, recordKey(id), bytesKey(id), fingerprint, relayId, requestId, ...limits);
      const [first = "", owner = "", request = "", state = ""] = reply as string[];
      if (first === "claimed") return { outcome: first };
      await reserve(-RECORD_BYTES);
      if (first === "full") return { outcome: first };
      return { outcome: "known", fingerprint: first, relayId: owner, requestId: request, state };
    },
    /** Appends to a response; false if it is no longer stored. May be repeated as it was after it was rejected. */
    async append(id: KeyId, added: Addition): Promise<boolean> {
      const head = added.head ? seal(id, JSON.stringify(added.head)) : "";
      const piece = added.piece.length > 0 ? seal(id, added.piece.toString("base64")) : "";
      const ending = added.ending ? seal(id, JSON.stringify(added.ending)) : "";
      const bytes = head.length + piece.length + ending.length;
      const fits = bytes === 0 || (await reserve(bytes));
      const most = fits ? bounds.response : DROPPED;
      const limits = [most, bounds.user, getHour(), STORED_SECONDS, added.before];
      const release = async (): Promise<void> => void (fits && bytes > 0 && (await reserve(-bytes)));
      const reply = await runKeep(...getKeys(id), relayId, head, piece, ending, ...limits).catch(
        async (error: unknown) => {
          await release().catch(() => undefined);
          throw error;
        },
      );
      if (reply !== 1) await release();
      return reply === 1;
    },
    /** Marks a call whose response cannot be stored. */
    drop: async (id: KeyId): Promise<void> =>
      void (await runKeep(...getKeys(id), relayId, "", "", "", DROPPED, bounds.user, getHour(), STORED_SECONDS, 0)),
    /** Forgets a call that failed without a charge; one that was taken over stays, for its request id. */
    async release(id: KeyId, { wasTakenOver }: { readonly wasTakenOver: boolean }): Promise<void> {
      await runRelease(...getKeys(id), relayId, RECORD_BYTES, wasTakenOver ? 1 : 0);
      if (!wasTakenOver) await reserve(-RECORD_BYTES);
    },
    /** Makes another relay's call this one's; false if another relay was faster. */
    takeOver: async (id: KeyId, deadId: string): Promise<boolean> =>
      (await runTakeOver(...getKeys(id), deadId, relayId)) === 1,
    async read(id: KeyId, from: number): Promise<StoredCallResponse> {
      const reply = (await runRead(2, recordKey(id), piecesKey(id), from)) as StoredReply;
      return toStoredResponse(reply, (sealed) => open(id, sealed));
    },
  };
}

type Script = ReturnType<typeof defineScript>;
export type StoredCallResponses = ReturnType<typeof createStoredCallResponses>;
