import { createHash } from "node:crypto";
import type { StateSeal } from "@turnpike/shared/crypto/state-seal";
import type { Choice } from "../../core/call/channel.ts";

/** The account that keeps a state: one key of one channel, the key by its fingerprint in hex. */
export type StateOwner = { readonly channelId: number; readonly keyName: string };

/** An upstream's own id or encrypted content, with its account. */
export type OpenedState = { readonly owner: StateOwner; readonly value: string };

export type StateCodec = ReturnType<typeof createStateCodec>;

const KEY_NAME_BYTES = 4;
const DIGEST_BYTES = 16;
const CONTENT_MARK = "tps.";
const SUMMARY_MARK = "tpc.";
const ID_FORM = /^([a-z][a-z0-9]{0,11})_(.+)$/s;
/** The prefix of sealed ids whose originals have none. */
const NO_PREFIX = "id";
const EVEN_HEX = /^(?:[0-9a-f]{2})+$/;
/** The meaning of the first byte. */
const FLAGS = { hex: 1, noPrefix: 2 } as const;

/** A whole number in groups of seven bits, the lowest first (LEB128). */
function writeNumber(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}

/** The value was authenticated, so its form is known to be right. */
function createByteReader(bytes: Buffer) {
  let at = 0;
  const take = (count: number): Buffer => bytes.subarray(at, (at += count));
  const readNumber = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = take(1)[0] ?? 0;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  return { take, readNumber, rest: () => bytes.subarray(at) };
}

const writeOwner = (userId: number, { channelId, keyName }: StateOwner): Buffer =>
  Buffer.concat([Buffer.from([...writeNumber(userId), ...writeNumber(channelId)]), Buffer.from(keyName, "hex")]);

function readOwner(reader: ReturnType<typeof createByteReader>, userId: number): StateOwner | undefined {
  const sealedFor = reader.readNumber();
  const channelId = reader.readNumber();
  const keyName = reader.take(KEY_NAME_BYTES).toString("hex");
  return sealedFor === userId ? { channelId, keyName } : undefined;
}

const digest = (content: string): Buffer => createHash("sha256").update(content).digest().subarray(0, DIGEST_BYTES);

/**
 * Seals what an upstream account minted, for one user: ids keep their prefix (`resp_…`), with user, account and original
 * inside; encrypted content stays as it is behind a sealed header that binds it to user and account. Opening returns
 * undefined for everything that this installation did not seal for this user.
 */
export function createStateCodec(seal: StateSeal) {
  const getKeyName = (key: string): string => seal.fingerprint(key).toString("hex");
  return {
    getKeyName,

    getOwner: ({ channel, key }: Choice): StateOwner => ({ channelId: channel.id, keyName: getKeyName(key) }),

    sealId(userId: number, owner: StateOwner, id: string): string {
      const [, prefix, suffix = ""] = ID_FORM.exec(id) ?? [undefined, undefined, id];
      const isHex = EVEN_HEX.test(suffix);
      const flags = (isHex ? FLAGS.hex : 0) + (prefix === undefined ? FLAGS.noPrefix : 0);
      const value = Buffer.from(suffix, isHex ? "hex" : "utf8");
      const shown = prefix ?? NO_PREFIX;
      return `${shown}_${seal.seal(`id ${shown}`, Buffer.concat([Buffer.from([flags]), writeOwner(userId, owner), value]))}`;
    },

    openId(userId: number, sealed: string): OpenedState | undefined {
      const [, prefix = "", body = ""] = ID_FORM.exec(sealed) ?? [];
      const bytes = seal.open(`id ${prefix}`, body);
      if (!bytes) return undefined;
      const reader = createByteReader(bytes);
      const flags = reader.readNumber();
      const owner = readOwner(reader, userId);
      const suffix = reader.rest().toString(flags & FLAGS.hex ? "hex" : "utf8");
      return owner && { owner, value: flags & FLAGS.noPrefix ? suffix : `${prefix}_${suffix}` };
    },

    sealContent(userId: number, owner: StateOwner, content: string): string {
      const header = Buffer.concat([writeOwner(userId, owner), digest(content)]);
      return `${CONTENT_MARK}${seal.seal("content", header)}.${content}`;
    },

    openContent(userId: number, sealed: string): OpenedState | undefined {
      if (!sealed.startsWith(CONTENT_MARK)) return undefined;
      const dot = sealed.indexOf(".", CONTENT_MARK.length);
      const bytes = seal.open("content", sealed.slice(CONTENT_MARK.length, dot));
      if (dot < 0 || !bytes) return undefined;
      const reader = createByteReader(bytes);
      const owner = readOwner(reader, userId);
      const value = sealed.slice(dot + 1);
      return owner && reader.rest().equals(digest(value)) ? { owner, value } : undefined;
    },

    /** A summary of a conversation, of no account: every channel may read it once it is opened. */
    sealSummary: (userId: number, summary: string): string =>
      `${SUMMARY_MARK}${seal.seal("summary", Buffer.concat([Buffer.from(writeNumber(userId)), Buffer.from(summary)]))}`,

    openSummary(userId: number, sealed: string): string | undefined {
      if (!sealed.startsWith(SUMMARY_MARK)) return undefined;
      const bytes = seal.open("summary", sealed.slice(SUMMARY_MARK.length));
      if (!bytes) return undefined;
      const reader = createByteReader(bytes);
      return reader.readNumber() === userId ? reader.rest().toString("utf8") : undefined;
    },
  };
}
