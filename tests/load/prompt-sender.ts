/**
 * Sends one large prompt after the other, with pauses, in its own process: generating them would delay what the
 * measuring process reads. `node prompt-sender.ts <url> <key> <bytes>`; prints how many were served when it is stopped.
 */
import { setTimeout as pause } from "node:timers/promises";

const [url = "", key = "", bytes = "0"] = process.argv.slice(2);
const PAUSE_MS = 100;
const WORD = "a word ";
const body = JSON.stringify({
  model: "gpt-4",
  messages: [{ role: "user", content: WORD.repeat(Number(bytes) / WORD.length) }],
});
const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
let served = 0;

process.on("message", () => {
  process.send?.({ served });
  process.disconnect();
  process.exit(0);
});
process.send?.("ready");
for (;;) {
  const response = await fetch(url, { method: "POST", headers, body });
  await response.arrayBuffer();
  if (response.ok) served++;
  await pause(PAUSE_MS);
}
