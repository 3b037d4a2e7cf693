import { renderText, valuesFile } from "./helm.ts";

/** Invalid values, and a part of the expected advice. */
const REFUSALS: readonly (readonly [values: object, advice: string])[] = [
  [{}, "backing.mongodbUrl"],
  [{ builtin: { enabled: true }, root: { username: "root" } }, "root.password"],
  [{ builtin: { enabled: true }, gatewayApi: { enabled: true } }, "gatewayApi.parentRefs"],
  [{ secret: { existingSecret: "a", masterKey: "b" } }, "leave secret.masterKey"],
  [{ builtin: { enabled: true }, services: { relay: { httpPort: 0 } } }, "services.relay.httpPort"],
  [
    {
      builtin: { enabled: true },
      services: { relay: { autoscaling: { enabled: true, minReplicas: 9, maxReplicas: 3 } } },
    },
    "minReplicas is above",
  ],
  [{ builtin: { enabled: true }, logLevel: "loud" }, "logLevel"],
  [
    { builtin: { enabled: true }, services: { relay: { env: { LOG_LEVEL: "debug" } } } },
    "services.relay.env.LOG_LEVEL",
  ],
  [{ builtin: { enabled: true }, services: { relay: { spoolSize: "1T" } } }, "spoolSize"],
  [{ builtin: { enabled: true }, services: { relay: { replica: 2 } } }, "replica"],
  [{ backing: { mongodbUrl: "postgres://a" } }, "mongodbUrl"],
];

/** Checks that each of these values is refused with advice and not rendered. */
export const checkRefusals = (): string[] =>
  REFUSALS.flatMap(([values, advice]) => {
    try {
      renderText([valuesFile(values)]);
    } catch (error) {
      return String(error).includes(advice)
        ? []
        : [`${JSON.stringify(values)} is refused without "${advice}": ${String(error)}`];
    }
    return [`${JSON.stringify(values)} is not refused`];
  });
