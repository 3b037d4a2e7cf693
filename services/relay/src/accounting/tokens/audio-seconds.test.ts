import { expect, it } from "vitest";
import { audioSeconds, toAudioTokens } from "./audio-seconds.ts";

function wav(seconds: number): Buffer {
  const data = Buffer.alloc(seconds * 16_000);
  const head = Buffer.alloc(44);
  head.write("RIFF", 0);
  head.writeUInt32LE(36 + data.length, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt32LE(16_000, 28);
  head.write("data", 36);
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}

function flac(): Buffer {
  const head = Buffer.alloc(42);
  head.write("fLaC", 0);
  head.writeUIntBE(44_100 << 4, 18, 3);
  head.writeUInt32BE(44_100 * 7, 22);
  return head;
}

function opus(): Buffer {
  const page = Buffer.alloc(64);
  page.write("OggS", 0);
  page.write("OpusHead", 28);
  const last = Buffer.alloc(32);
  last.write("OggS", 0);
  last.writeBigInt64LE(48_000n * 12n, 6);
  return Buffer.concat([page, last]);
}

function mp4(): Buffer {
  const box = Buffer.alloc(64);
  box.write("ftypM4A ", 4);
  box.write("mvhd", 20);
  box.writeUInt32BE(1000, 36);
  box.writeUInt32BE(9_500, 40);
  return box;
}

function webm(): Buffer {
  const head = Buffer.alloc(32);
  head.writeUInt32BE(0x1a45dfa3, 0);
  head.writeUInt16BE(0x4489, 10);
  head.writeUInt8(0x88, 12);
  head.writeDoubleBE(2_500, 13);
  return head;
}

/** MPEG 1 layer III, 128 kbit/s, 44.1 kHz. */
const mp3 = (bytes: number): Buffer => Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(bytes - 4)]);

it.each<[string, Buffer, number]>([
  ["wav", wav(3), 3],
  ["flac", flac(), 7],
  ["opus", opus(), 12],
  ["mp4", mp4(), 9.5],
  ["webm", webm(), 2.5],
  ["mp3", mp3(32_000), 2],
])("reads the duration of %s from its header", (_, audio, seconds) => {
  expect(audioSeconds(audio)).toEqual({ seconds, isExact: true });
});

it.each<[string, Buffer]>([
  ["nothing known", Buffer.alloc(32_000)],
  ["a truncated header", Buffer.concat([Buffer.from("OggS"), Buffer.alloc(2)])],
])("estimates the duration of %s from its size", (_, audio) => {
  expect(audioSeconds(audio)).toEqual({ seconds: audio.length / 16_000, isExact: false });
});

it("converts a minute to a thousand tokens and rounds seconds up", () => {
  expect([60, 0.2, 30.5].map(toAudioTokens)).toEqual([1000, 17, 517]);
});
