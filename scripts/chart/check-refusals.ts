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
  [{ backing: { redisUrl: "redis+other://a" } }, "redisUrl"],
];

/** Every form of address that values.yaml names; each is rendered with the built-in servers for the others. */
const ADDRESSES: readonly object[] = [
  ...["mongodb://a,b,c/turnpike?replicaSet=rs0", "mongodb+srv://a/turnpike"].map((mongodbUrl) => ({ mongodbUrl })),
  ...["redis", "rediss"].flatMap((scheme) =>
    [`${scheme}://a:6379`, `${scheme}+sentinel://user:password@a,b,c/primary`, `${scheme}+cluster://a,b,c`].map(
      (redisUrl) => ({ redisUrl }),
    ),
  ),
  ...["nats://user:password@a:4222,b:4222", "tls://a:4222"].map((natsUrl) => ({ natsUrl })),
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

/** Checks that each documented form of address is accepted and reaches the Secret as it is. */
export const checkAddresses = (): string[] =>
  ADDRESSES.flatMap((backing) => {
    const [address] = Object.values(backing) as [string];
    try {
      const text = renderText([valuesFile({ builtin: { enabled: true }, backing })]);
      return text.includes(JSON.stringify(address)) ? [] : [`${address} does not reach the Secret`];
    } catch (error) {
      return [`${address} is refused: ${String(error)}`];
    }
  });
