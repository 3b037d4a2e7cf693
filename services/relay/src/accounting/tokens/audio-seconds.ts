/** Assumed bytes per second of a file without a readable duration: 128 kbit/s. */
const BYTES_PER_SECOND = 16_000;
const SEARCHED_BYTES = 256 * 1024;

type Reader = (audio: Buffer) => number | undefined;

const marked = (audio: Buffer, at: number, mark: string): boolean =>
  audio.toString("latin1", at, at + mark.length) === mark;

function wav(audio: Buffer): number | undefined {
  if (!marked(audio, 0, "RIFF") || !marked(audio, 8, "WAVE")) return undefined;
  let bytesPerSecond = 0;
  for (let at = 12; at + 8 <= audio.length;) {
    const size = audio.readUInt32LE(at + 4);
    if (marked(audio, at, "fmt ") && at + 20 <= audio.length) bytesPerSecond = audio.readUInt32LE(at + 16);
    if (marked(audio, at, "data")) return Math.min(size, audio.length - at - 8) / bytesPerSecond;
    at += 8 + size + (size % 2);
  }
  return undefined;
}

function flac(audio: Buffer): number | undefined {
  if (!marked(audio, 0, "fLaC") || audio.length < 26) return undefined;
  const rate = audio.readUIntBE(18, 3) >> 4;
  return ((audio.readUInt8(21) & 15) * 2 ** 32 + audio.readUInt32BE(22)) / rate;
}

function ogg(audio: Buffer): number | undefined {
  if (!marked(audio, 0, "OggS")) return undefined;
  const last = audio.lastIndexOf("OggS");
  const vorbis = audio.subarray(0, SEARCHED_BYTES).indexOf("\u0001vorbis", 0, "latin1");
  const isOpus = audio.subarray(0, SEARCHED_BYTES).includes("OpusHead");
  const rate = isOpus ? 48_000 : vorbis < 0 ? 0 : audio.readUInt32LE(vorbis + 12);
  return Number(audio.readBigInt64LE(last + 6)) / rate;
}

function mp4(audio: Buffer): number | undefined {
  if (!marked(audio, 4, "ftyp")) return undefined;
  const at = audio.indexOf("mvhd", 0, "latin1");
  if (at < 0) return undefined;
  return audio.readUInt8(at + 4) === 0
    ? audio.readUInt32BE(at + 20) / audio.readUInt32BE(at + 16)
    : Number(audio.readBigUInt64BE(at + 28)) / audio.readUInt32BE(at + 24);
}

const EBML = Buffer.from([0x1a, 0x45, 0xdf, 0xa3]);

function webm(audio: Buffer): number | undefined {
  if (!audio.subarray(0, 4).equals(EBML)) return undefined;
  const head = audio.subarray(0, SEARCHED_BYTES);
  const at = head.indexOf(Buffer.from([0x44, 0x89]));
  if (at < 0) return undefined;
  const milliseconds = head.readUInt8(at + 2) === 0x88 ? head.readDoubleBE(at + 3) : head.readFloatBE(at + 3);
  return milliseconds / 1000;
}

const BITRATES_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const BITRATES_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const RATES_1 = [44_100, 48_000, 32_000];

const tagEnd = (audio: Buffer): number =>
  marked(audio, 0, "ID3") && audio.length > 10
    ? 10 + [6, 7, 8, 9].reduce((size, at) => size * 128 + (audio.readUInt8(at) & 127), 0)
    : 0;

/** MPEG layer III: by the number of frames if the first frame contains it, else by the first frame's bit rate. */
function mp3(audio: Buffer): number | undefined {
  const at = tagEnd(audio);
  if (at + 4 > audio.length || (audio.readUInt16BE(at) & 0xffe6) !== 0xffe2) return undefined;
  const version = (audio.readUInt8(at + 1) >> 3) & 3;
  const bits = audio.readUInt8(at + 2);
  const kilobits = (version === 3 ? BITRATES_1 : BITRATES_2)[bits >> 4];
  const rate = (RATES_1[(bits >> 2) & 3] ?? 0) / (version === 3 ? 1 : version === 2 ? 2 : 4);
  const first = audio.subarray(at, at + 64);
  const reported = Math.max(first.indexOf("Xing"), first.indexOf("Info"));
  if (reported > 0 && at + reported + 12 <= audio.length && audio.readUInt32BE(at + reported + 4) & 1) {
    return (audio.readUInt32BE(at + reported + 8) * (version === 3 ? 1152 : 576)) / rate;
  }
  return kilobits ? ((audio.length - at) * 8) / (kilobits * 1000) : undefined;
}

const READERS: readonly Reader[] = [wav, flac, ogg, mp4, webm, mp3];

/**
 * The duration of a recording from its header; `isExact` is false if the header has none and it is estimated from the
 * size.
 */
export function audioSeconds(audio: Buffer): { readonly seconds: number; readonly isExact: boolean } {
  for (const read of READERS) {
    try {
      const seconds = read(audio);
      if (seconds !== undefined && Number.isFinite(seconds) && seconds > 0) return { seconds, isExact: true };
    } catch (error) {
      // The file ends inside its header.
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return { seconds: audio.length / BYTES_PER_SECOND, isExact: false };
}

/** A minute of audio counts as a thousand tokens; started seconds count fully. */
export const toAudioTokens = (seconds: number): number => Math.round((Math.ceil(seconds) / 60) * 1000);
