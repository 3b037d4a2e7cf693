const INSPECTOR = "http://127.0.0.1:9229/json";
const START_MS = 5_000;

/** A node of V8's profile; `hitCount` samples ended in it. */
type ProfileNode = {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  readonly hitCount?: number;
  readonly children?: readonly number[];
};
/** A profile as the inspector protocol's `Profiler.stop` returns it. */
export type CpuProfile = { readonly nodes: readonly ProfileNode[] };

async function findInspector(): Promise<string> {
  const until = Date.now() + START_MS;
  for (;;) {
    try {
      const [target] = (await (await fetch(INSPECTOR)).json()) as { webSocketDebuggerUrl: string }[];
      if (target) return target.webSocketDebuggerUrl;
    } catch (error) {
      if (Date.now() > until) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Profiles a Node process, whose inspector a signal opens, while `run` lasts. Throws if it does not open within five seconds. */
export async function profileProcess(pid: number, run: () => Promise<void>): Promise<CpuProfile> {
  process.kill(pid, "SIGUSR1");
  const socket = new WebSocket(await findInspector());
  await new Promise((resolve) => socket.addEventListener("open", resolve, { once: true }));
  const waiting = new Map<number, (result: unknown) => void>();
  socket.addEventListener("message", ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id: number; result: unknown };
    waiting.get(id)?.(result);
  });
  const send = (method: string, params: object = {}): Promise<unknown> =>
    new Promise((resolve) => {
      const id = waiting.size + 1;
      waiting.set(id, resolve);
      socket.send(JSON.stringify({ id, method, params }));
    });
  try {
    await send("Profiler.enable");
    await send("Profiler.setSamplingInterval", { interval: 250 });
    await send("Profiler.start");
    await run();
    const { profile } = (await send("Profiler.stop")) as { profile: CpuProfile };
    return profile;
  } finally {
    socket.close();
  }
}
