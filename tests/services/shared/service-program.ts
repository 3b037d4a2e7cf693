import { startService } from "@turnpike/shared/lifecycle/service";
import { createLogger } from "@turnpike/shared/log/log";

/** A service whose parts print what happens to them; the test of `startService` runs it. */
const OPS_PORT = Number(process.env["OPS_PORT"]);
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const getReadiness = async (): Promise<number> => (await fetch(`http://127.0.0.1:${OPS_PORT}/ready`)).status;
const part = (name: string, end?: () => Promise<void>) => ({
  name,
  start: () => print(`start ${name}`),
  stop: async () => {
    await end?.();
    print(`stop ${name}`);
  },
});

await startService({
  config: { HOST: "127.0.0.1", OPS_PORT, SHUTDOWN_GRACE_SECONDS: 30 },
  log: createLogger("example", "silent"),
  checks: { example: () => true },
  parts: [
    part("callers", async () => print(`ready ${await getReadiness()}`)),
    part("loop", () => Promise.reject(new Error("the loop fails to end"))),
    { name: "clients" },
    part("store", async () => print(`ready ${await getReadiness()}`)),
  ],
  facts: { port: 1 },
});
print(`ready ${await getReadiness()}`);
process.kill(process.pid, "SIGTERM");
