import { expect, it } from "vitest";
import { parseChatLinks, fillLink, isFramed, isOpenable } from "./chat-links.ts";

const target = { key: "sk-abc", address: "https://api.example.com" };

it("reads the site's chat clients, and reports an invalid list", () => {
  expect(parseChatLinks([{ Lobe: "https://a.example" }])).toEqual([{ name: "Lobe", url: "https://a.example" }]);
  expect(parseChatLinks([])).toEqual([]);
  for (const wrong of [[1], [{ a: 1 }], [{ a: "x", b: "y" }], [{}]]) expect(parseChatLinks(wrong)).toBeUndefined();
});

it("fills in key and address at every place", () => {
  const url = 'https://chat.example/?settings={"key":"{key}","url":"{address}/v1"}&again={key}';
  expect(fillLink({ name: "x", url }, target)).toBe(
    'https://chat.example/?settings={"key":"sk-abc","url":"https%3A%2F%2Fapi.example.com/v1"}&again=sk-abc',
  );
});

it("frames https pages only, and opens no scripts", () => {
  const of = (url: string) => isFramed({ name: "x", url });
  expect([of("https://a.example"), of("http://a.example"), of("ama://set?key={key}")]).toEqual([true, false, false]);
  expect(["https://a", "ama://x", "javascript:alert(1)", "data:text/html,x", "relative"].map(isOpenable)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
