import { expect, it } from "vitest";
import { parseMusicResults } from "./music-results.ts";

it("reads music and lyrics from the upstream's result, and nothing else", () => {
  const musicTask = { id: "a", title: "Rain", audio_url: "https://cdn.example/a.mp3", metadata: { prompt: "la" } };
  expect(parseMusicResults([musicTask, { id: "b" }, "noise", null])).toEqual([
    { id: "a", title: "Rain", audioUrl: "https://cdn.example/a.mp3", lyrics: "la" },
  ]);
  expect(parseMusicResults({ title: "Rain", text: "la la" })).toMatchObject([
    { title: "Rain", lyrics: "la la", audioUrl: "" },
  ]);
  expect(parseMusicResults([{ title: "x", audio_url: "javascript:alert(1)" }])).toMatchObject([{ audioUrl: "" }]);
  expect([parseMusicResults(null), parseMusicResults(7), parseMusicResults("x")]).toEqual([[], [], []]);
});
