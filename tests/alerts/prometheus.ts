import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { findOnPath } from "../../scripts/backing/find-on-path.ts";
import { freePort } from "../../scripts/process/ports.ts";

/** The chart's rules. */
export const RULES = resolve(import.meta.dirname, "../../deploy/helm/turnpike/files/rules.yaml");
const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600 };

export type Target = { readonly component: string; readonly address: string };
export type Firing = { readonly name: string; readonly labels: Readonly<Record<string, string>> };

/** The chart's rules with time scaled by a factor: windows, waits and intervals, but no thresholds. */
export function speedUp(rules: string, factor: number): string {
  const faster = (text: string, by = factor): string => {
    const seconds = Number(text.slice(0, -1)) * (UNIT_SECONDS[text.slice(-1)] ?? 1);
    return `${Math.max(2, Math.round(seconds / by))}s`;
  };
  // Processes cannot start faster: windows that count starts are scaled by half the factor.
  const window = (_: string, starts: string | undefined, time: string): string =>
    starts === undefined ? `[${faster(time)}]` : `${starts}[${faster(time, factor / 2)}]`;
  return rules
    .replaceAll(/(changes\([^[\n]*)?\[(\d+[smh])\]/g, window)
    .replaceAll(
      /^(\s+)(for|interval): (\d+[smh])$/gm,
      (_, indent: string, word: string, time: string) =>
        `${indent}${word}: ${word === "interval" ? "1s" : faster(time)}`,
    );
}

/**
 * A real Prometheus that scrapes these targets every second and evaluates the chart's rules in scaled time. The caller
 * stops it.
 */
export async function startPrometheus(targets: readonly Target[], factor: number) {
  const program = findOnPath("prometheus");
  if (program === undefined) throw new Error("prometheus is not installed: on Debian, apt-get install prometheus");
  const folder = mkdtempSync(join(tmpdir(), "turnpike-prometheus-"));
  const port = await freePort();
  writeFileSync(join(folder, "rules.yaml"), speedUp(readFileSync(RULES, "utf8"), factor));
  const config = {
    global: { scrape_interval: "1s", evaluation_interval: "1s" },
    rule_files: ["rules.yaml"],
    scrape_configs: [
      {
        job_name: "turnpike",
        static_configs: targets.map(({ component, address }) => ({ targets: [address], labels: { component } })),
      },
    ],
  };
  // JSON is valid YAML.
  writeFileSync(join(folder, "prometheus.yml"), JSON.stringify(config));
  const args = [`--config.file=${join(folder, "prometheus.yml")}`, `--storage.tsdb.path=${join(folder, "data")}`];
  const child: ChildProcess = spawn(program, [...args, `--web.listen-address=127.0.0.1:${port}`], {
    stdio: "ignore",
  });
  const sendCall = async <Data>(path: string): Promise<Data> => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`, { signal: AbortSignal.timeout(5_000) });
    return ((await response.json()) as { data: Data }).data;
  };
  return {
    /** The alerts that fire now. */
    async firing(): Promise<Firing[]> {
      const { alerts } = await sendCall<{ alerts: { state: string; labels: Record<string, string> }[] }>("alerts");
      return alerts
        .filter(({ state }) => state === "firing")
        .map(({ labels }) => ({ name: labels["alertname"] ?? "", labels }));
    },
    /** Scrape targets by whether they are up. */
    async targets(): Promise<{ readonly component: string; readonly health: string; readonly error: string }[]> {
      type Active = { labels: Record<string, string>; health: string; lastError: string };
      const { activeTargets } = await sendCall<{ activeTargets: Active[] }>("targets");
      return activeTargets.map(({ labels, health, lastError }) => ({
        component: labels["component"] ?? "",
        health,
        error: lastError,
      }));
    },
    async stop(): Promise<void> {
      const ended = new Promise((done) => child.once("exit", done));
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
export type Prometheus = Awaited<ReturnType<typeof startPrometheus>>;
