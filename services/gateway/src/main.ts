import { readFileSync } from "node:fs";
import { createConnectionDrain } from "@turnpike/shared/http/connection-draining";
import { startService } from "@turnpike/shared/lifecycle/service";
import { createMemoryRateLimiter } from "@turnpike/shared/rate-limit/memory-rate-limiter";
import { createLogger } from "@turnpike/shared/log/log";
import { createGateway } from "./app.ts";
import { readConfig } from "./config.ts";
import { listen, stopServing } from "./http/server-lifecycle.ts";
import { createPassThrough } from "./pass-through/pass-through.ts";
import { createServices } from "./http/services.ts";
import { listenForOptionChanges } from "./site/option-listener.ts";
import { createSiteOptions } from "./site/site-options.ts";

// 1. External connections
const config = readConfig();
const log = createLogger("gateway", config.LOG_LEVEL);
const services = createServices(config);
const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};

// 2. Components
const options = createSiteOptions({ auth: services.auth, log });
const notices = listenForOptionChanges({
  url: config.NATS_URL,
  namespace: config.NAMESPACE,
  log,
  onChange: options.refresh,
});
const passThrough = createPassThrough({
  relayAddress: config.RELAY_HTTP_ADDRESS,
  internalSecret: config.INTERNAL_SECRET,
});
const limiter = config.GLOBAL_API_RATE_LIMIT_ENABLE
  ? createMemoryRateLimiter({
      max: config.GLOBAL_API_RATE_LIMIT,
      windowSeconds: config.GLOBAL_API_RATE_LIMIT_DURATION,
    })
  : undefined;
const server = createGateway({
  services,
  options,
  passThrough,
  limiter,
  log,
  program: { version, startedAtSeconds: Math.floor(Date.now() / 1000) },
  trustedProxies: config.TRUSTED_PROXIES,
  webDist: config.WEB_DIST,
});

// 3. Entry points
await options.reload();
const connectionDrain = createConnectionDrain(server);
const port = await listen(server, config.HOST, config.PORT);

// 4. Start, and shutdown in this order
await startService({
  config,
  log,
  // Startup waits for the first response of auth. When auth is down later, the gateway still passes calls through and
  // serves what it can.
  checks: { options: options.isLoaded },
  parts: [
    {
      name: "http",
      stop: () =>
        stopServing({
          server,
          connectionDrain,
          graceSeconds: config.SHUTDOWN_GRACE_SECONDS,
          endStreams: passThrough.endStreams,
          cutMore: passThrough.cutUpgrades,
        }),
    },
    { name: "pass-through", stop: passThrough.close },
    { name: "options", stop: options.stop },
    { name: "notices", stop: notices.stop },
    { name: "services", stop: services.close },
  ],
  facts: { host: config.HOST, port },
});
