import { isRecord } from "../../lib/record.ts";

/** A piece that a music task produced. */
export type MusicResult = {
  readonly id: string;
  readonly title: string;
  readonly audioUrl: string;
  readonly lyrics: string;
};

const getText = (record: Readonly<Record<string, unknown>>, name: string): string => {
  const value = record[name];
  return typeof value === "string" ? value : "";
};
const isWebAddress = (url: string): boolean => /^https?:\/\//i.test(url);

function parseMusicResult(value: unknown, index: number): MusicResult | undefined {
  if (!isRecord(value)) return undefined;
  const audioUrl = getText(value, "audio_url");
  const metadata = isRecord(value["metadata"]) ? value["metadata"] : {};
  const clip = {
    id: getText(value, "id") || String(index),
    title: getText(value, "title"),
    audioUrl: isWebAddress(audioUrl) ? audioUrl : "",
    lyrics: getText(value, "text") || getText(metadata, "prompt"),
  };
  return clip.title === "" && clip.audioUrl === "" && clip.lyrics === "" ? undefined : clip;
}

/** The pieces in a music task's data: music as a list, lyrics as one object; none for any other value. */
export function parseMusicResults(data: unknown): readonly MusicResult[] {
  return (Array.isArray(data) ? data : [data]).flatMap((value: unknown, index) => parseMusicResult(value, index) ?? []);
}
