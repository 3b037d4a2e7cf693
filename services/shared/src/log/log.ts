import { type Logger, pino } from "pino";

export type { Logger };

const SECRET_FIELDS = [
  "key",
  "keys",
  "password",
  "secret",
  "authorization",
  "cookie",
  "accessToken",
  "access_token",
  "apiKey",
  "api_key",
  "token",
];

/** A JSON logger for one service; fields that may hold secrets are replaced at any place, two levels deep. */
export function createLogger(service: string, level: string): Logger {
  return pino({
    name: service,
    level,
    redact: {
      paths: SECRET_FIELDS.flatMap((field) => [
        field,
        `*.${field}`,
        `*.*.${field}`,
        `*["x-api-key"]`,
        `*.*["x-api-key"]`,
      ]).filter((path, index, all) => all.indexOf(path) === index),
      censor: "[secret]",
    },
  });
}
