import { join } from "node:path";
import { drawBox, type LogFormat } from "./log-lines.ts";
import type { Settings } from "./up-settings.ts";

/** What an operator needs to know about the system that is up now. */
export function describeSystem(settings: Settings, total: string): string[] {
  const { PORT, RELAY_PORT, DATA_DIR, HOST } = settings;
  const isOpen = HOST !== "127.0.0.1" && HOST !== "localhost" && HOST !== "::1";
  return [
    `Turnpike is ready (${total})`,
    "",
    `Console      http://localhost:${PORT}`,
    `Model API    http://localhost:${RELAY_PORT}/v1 (also on port ${PORT})`,
    `Network      ${isOpen ? `open to other machines (HOST=${HOST})` : "this machine only; HOST=0.0.0.0 opens it"}`,
    `Data         ${DATA_DIR} (secrets.json: keep a copy)`,
    `Server logs  ${join(DATA_DIR, "logs")}`,
    "",
    "First steps  1. open the console and create the administrator",
    "             2. add a channel: a provider and its key",
    "             3. create a token and call a model with it",
    "Stop         Ctrl-C; the data stays, make up continues with it",
  ];
}

/** The last output of a start: a box for a terminal, one event for programs. */
export function toClosing(settings: Settings, total: string, format: LogFormat): string {
  if (format === "pretty") return drawBox(describeSystem(settings, total));
  return JSON.stringify({
    level: 30,
    time: Date.now(),
    name: "up",
    console: `http://localhost:${settings.PORT}`,
    modelApi: `http://localhost:${settings.RELAY_PORT}/v1`,
    data: settings.DATA_DIR,
    duration: total,
    msg: "ready",
  });
}
