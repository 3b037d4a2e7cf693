import { mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const PERIOD_US = 20_000;

/** Possible mount points of the kernel's CPU controller, and the files that limit a group there (cgroups v1 and v2). */
const HIERARCHIES: readonly { root: string; files: (quotaUs: number) => Readonly<Record<string, string>> }[] = [
  {
    root: "/sys/fs/cgroup/cpu",
    files: (quotaUs) => ({ "cpu.cfs_period_us": String(PERIOD_US), "cpu.cfs_quota_us": String(quotaUs) }),
  },
  { root: "/sys/fs/cgroup", files: (quotaUs) => ({ "cpu.max": `${quotaUs} ${PERIOD_US}` }) },
];

/**
 * Limits a process to a share of a core, as a Kubernetes CPU limit does. Returns a function that removes its group once
 * the process has ended; undefined if this is not permitted.
 */
export function limitCpu(pid: number, share: number): (() => void) | undefined {
  for (const { root, files } of HIERARCHIES) {
    const group = join(root, `turnpike-load-${pid}`);
    try {
      mkdirSync(group);
    } catch {
      continue;
    }
    try {
      const quotas = files(Math.round(PERIOD_US * share));
      for (const [name, value] of Object.entries(quotas)) writeFileSync(join(group, name), value);
      writeFileSync(join(group, "cgroup.procs"), String(pid));
      return () => rmdirSync(group);
    } catch {
      rmdirSync(group);
    }
  }
  return undefined;
}
