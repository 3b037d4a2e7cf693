import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { environmentProblems, SERVICES } from "../chart/environment-problems.ts";

const docker = resolve(import.meta.dirname, "../../docker");
const Compose = z.object({
  services: z.record(
    z.string(),
    z.object({
      image: z.string(),
      environment: z.record(z.string(), z.string()).default({}),
      healthcheck: z.object({ test: z.array(z.string()).min(2) }),
      depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
      user: z.string().optional(),
      read_only: z.boolean().default(false),
      stop_grace_period: z
        .string()
        .regex(/^\d+s$/)
        .default("10s"),
    }),
  ),
});
const { services } = Compose.parse(parse(readFileSync(join(docker, "compose.yaml"), "utf8"), { merge: true }));

const DEFAULT_GRACE_SECONDS = 10;

/** Variables set by the operator, as listed in the first lines of the file. */
const SET: Readonly<Record<string, string>> = { INTERNAL_SECRET: "x".repeat(16), MASTER_KEY: "x".repeat(44) };
/** Substitutes \${NAME}, \${NAME:-default} and \${NAME:?why}. */
const filled = (value: string): string =>
  value.replaceAll(
    /\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}/g,
    (_, name: string, fallback = "") => SET[name] ?? String(fallback),
  );

/** Environment set by the image itself. */
const image = readFileSync(join(docker, "service.Dockerfile"), "utf8").replaceAll(/\\\n\s*/g, " ");
const imageEnv = Object.fromEntries(
  [...image.matchAll(/^ENV (.*)$/gm)]
    .flatMap(([, line = ""]) => [...line.matchAll(/(\w+)=(\S*)/g)])
    .map(([, name = "", value = ""]) => [name, value.startsWith("$") ? "dev" : value]),
);

describe("Docker Compose file", () => {
  it("contains every service with a health check and waits until its dependencies are healthy", () => {
    expect(Object.keys(services)).toEqual(expect.arrayContaining([...SERVICES, "mongodb", "redis", "nats", "mail"]));
    for (const { depends_on: leans } of Object.values(services))
      for (const [name, { condition }] of Object.entries(leans)) {
        expect(services).toHaveProperty(name);
        expect(condition).toBe("service_healthy");
      }
  });

  it.each(SERVICES)("gives %s the variables it reads and no others", (name) => {
    const given = Object.entries(services[name]?.environment ?? {}).map(
      ([key, value]) => [key, filled(value)] as const,
    );
    // Variables set by the image that some services do not read.
    const own = Object.fromEntries(given);
    const withImage = { ...imageEnv, ...own };
    const strange = environmentProblems(name, own).filter((problem) => problem.includes("does not read"));
    const missing = environmentProblems(name, withImage).filter((problem) => !problem.includes("does not read"));
    expect([...strange, ...missing]).toEqual([]);
  });

  it.each(SERVICES)("gives %s more time to stop than its graceful shutdown takes", (name) => {
    const { environment = {}, stop_grace_period: period = "" } = services[name] ?? {};
    const graceSeconds = Number(environment["SHUTDOWN_GRACE_SECONDS"] ?? DEFAULT_GRACE_SECONDS);
    expect(Number.parseInt(period, 10)).toBeGreaterThan(graceSeconds);
  });

  it("runs our images with a read-only file system", () => {
    expect(SERVICES.filter((name) => services[name]?.read_only !== true)).toEqual([]);
  });
});
