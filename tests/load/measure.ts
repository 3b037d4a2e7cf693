import { execFile, execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { Agent } from "undici";
import { passingFolder } from "../../scripts/process/passing-folder.ts";

const run = promisify(execFile);

/** One load target: URL, headers and body. */
export type LoadTarget = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

const luaText = (text: string): string => `[==[${text}]==]`;

type WrkOptions = { readonly seconds: number; readonly connections: number; readonly cores: string };

const scripts = passingFolder("wrk");
let scriptCount = 0;

async function runWrk(url: string, lua: readonly string[], { seconds, connections, cores }: WrkOptions) {
  const script = join(scripts, `${scriptCount++}.lua`);
  writeFileSync(script, lua.join("\n"));
  const wrk = ["wrk", "-t1", `-c${connections}`, `-d${seconds}s`, "--latency", "-s", script, url];
  const { stdout } = await run("taskset", ["-c", cores, ...wrk]);
  const number = (pattern: RegExp): number => Number(pattern.exec(stdout)?.[1] ?? 0);
  return {
    perSecond: number(/Requests\/sec:\s+([\d.]+)/),
    failed: number(/Non-2xx or 3xx responses: (\d+)/) + number(/timeout (\d+)/),
  };
}

/**
 * Requests per second that `wrk` completes in some seconds, and the number of responses without status 2xx. wrk runs on
 * its own core.
 */
export function throughput(target: LoadTarget, options: WrkOptions) {
  const headers = Object.entries(target.headers).map(
    ([name, value]) => `wrk.headers[ ${luaText(name)} ] = ${luaText(value)}`,
  );
  return runWrk(target.url, ['wrk.method = "POST"', `wrk.body = ${luaText(target.body)}`, ...headers], options);
}

/** The same with another key for each request, in turns. */
export function measureThroughput(target: LoadTarget, keys: readonly string[], options: WrkOptions) {
  return runWrk(
    target.url,
    [
      'wrk.method = "POST"',
      `wrk.body = ${luaText(target.body)}`,
      'wrk.headers["content-type"] = "application/json"',
      `local keys = { ${keys.map(luaText).join(", ")} }`,
      "local turn = 0",
      "function request()",
      "  turn = turn % #keys + 1",
      '  wrk.headers["authorization"] = "Bearer " .. keys[turn]',
      "  return wrk.format()",
      "end",
    ],
    options,
  );
}

const FLOOD_DELAY_MS = 100;

/**
 * Sends unknown keys, each once, at a steady rate to a target that takes this long to refuse one; returns how many per
 * second were refused.
 */
export async function floodWithKeys(
  target: LoadTarget,
  { perSecond, refusalMs, ...options }: { perSecond: number; refusalMs: number; seconds: number; cores: string },
): Promise<number> {
  const lua = [
    'wrk.method = "POST"',
    `wrk.body = ${luaText(target.body)}`,
    'wrk.headers["content-type"] = "application/json"',
    "math.randomseed(os.time())",
    "function request()",
    "  local key = {}",
    '  for place = 1, 24 do key[place] = string.format("%02x", math.random(0, 255)) end',
    '  wrk.headers["authorization"] = "Bearer sk-" .. table.concat(key)',
    "  return wrk.format()",
    "end",
    `function delay() return ${FLOOD_DELAY_MS} end`,
  ];
  const connections = Math.ceil((perSecond * (FLOOD_DELAY_MS + refusalMs)) / 1000);
  const { failed } = await runWrk(target.url, lua, { ...options, connections });
  return failed / options.seconds;
}

export type Latency = { readonly p50Ms: number; readonly p99Ms: number; readonly failed: number };

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/**
 * Times to the first byte and to the end at a steady rate; each request is sent on schedule, whether or not earlier
 * ones have completed.
 */
export async function latencyAt(
  ratePerSecond: number,
  seconds: number,
  targets: Readonly<Record<string, LoadTarget>>,
): Promise<Record<string, { whole: Latency; firstByte: Latency }>> {
  const agent = new Agent({ connections: 256, pipelining: 1 });
  const results = new Map(
    Object.keys(targets).map((name) => [name, { whole: [] as number[], firstByte: [] as number[], failed: 0 }]),
  );
  const send = (name: string, target: LoadTarget): Promise<void> =>
    new Promise((resolve) => {
      const url = new URL(target.url);
      const result = results.get(name);
      const startedAt = performance.now();
      let first = 0;
      let good = false;
      const close = (failed: boolean): void => {
        if (failed && result) result.failed++;
        else {
          result?.whole.push(performance.now() - startedAt);
          result?.firstByte.push(first - startedAt);
        }
        resolve();
      };
      agent.dispatch(
        { origin: url.origin, path: url.pathname, method: "POST", headers: { ...target.headers }, body: target.body },
        {
          onRequestStart: () => undefined,
          onResponseStart: (_, status) => void (good = status === 200),
          onResponseData: () => void (first ||= performance.now()),
          onResponseEnd: () => close(!good),
          onResponseError: () => close(true),
        },
      );
    });
  // The targets are measured in turns, so that other load of the machine affects them alike.
  const names = Object.keys(targets);
  const pending: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let sent = 0; sent < ratePerSecond * seconds; sent++) {
    const dueAt = startedAt + (sent * 1000) / ratePerSecond;
    // Sleeps between calls instead of spinning: with two CPUs a spinning client takes CPU time from the servers.
    for (let waitMs = dueAt - performance.now(); waitMs > 0; waitMs = dueAt - performance.now())
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    const name = names[sent % names.length] ?? "";
    const target = targets[name];
    if (target) pending.push(send(name, target));
  }
  await Promise.all(pending);
  await agent.destroy();
  return Object.fromEntries(
    [...results].map(([name, { whole, firstByte, failed }]) => {
      const summary = (times: number[]): Latency => {
        const sorted = times.toSorted((a, b) => a - b);
        return { p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99), failed };
      };
      return [name, { whole: summary(whole), firstByte: summary(firstByte) }];
    }),
  );
}

/** Resident memory of a process in MB. */
export const memoryMb = (pid: number): number =>
  Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024);

/** Processor time that all threads of a process have used so far, in milliseconds (the kernel's scheduler statistics). */
export function cpuMs(pid: number): number {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]);
    } catch {
      // The thread has ended since its folder was read.
    }
  }
  return nanoseconds / 1e6;
}

/** Pins a process, with all its threads, to some cores. */
export const pinProcess = (pid: number, cores: string): void =>
  void execFileSync("taskset", ["-acp", cores, String(pid)], { stdio: "ignore" });
