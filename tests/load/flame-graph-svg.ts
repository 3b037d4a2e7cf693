import type { CpuProfile } from "./cpu-profile.ts";

const WIDTH = 1_200;
const ROW_HEIGHT = 16;
const TOP = 40;
/** Narrower frames are left out, with all above them. */
const WIDTH_MIN = 0.6;
const CHARACTER_WIDTH = 6.2;

type Frame = { readonly name: string; readonly kind: string; samples: number; readonly callees: Map<string, Frame> };

/** Whose code a frame is, by its address. */
const COLORS: Readonly<Record<string, string>> = {
  turnpike: "#e8853d",
  node: "#7aa6d8",
  library: "#b39ddb",
  engine: "#b8b8b8",
};

function getKind(url: string): string {
  if (url.includes("/node_modules/")) return "library";
  if (url.startsWith("node:")) return "node";
  return url === "" ? "engine" : "turnpike";
}

const createFrame = (name: string, kind: string): Frame => ({ name, kind, samples: 0, callees: new Map() });

/** Adds up the samples of equal stacks, without those in which the process was idle. */
function mergeStacks({ nodes }: CpuProfile): Frame {
  const byId = new Map(nodes.map((node) => [node.id, node] as const));
  const root = createFrame("all", "engine");
  const add = (id: number, caller: Frame): number => {
    const node = byId.get(id);
    const { functionName, url, lineNumber } = node?.callFrame ?? { functionName: "", url: "", lineNumber: 0 };
    if (!node || functionName === "(idle)") return 0;
    const file = url.split("/").slice(-2).join("/");
    const name = `${functionName || "(anonymous)"}${file === "" ? "" : ` ${file}:${lineNumber + 1}`}`;
    const frame = caller.callees.get(name) ?? createFrame(name, getKind(url));
    caller.callees.set(name, frame);
    const samples = (node.children ?? []).reduce((sum, child) => sum + add(child, frame), node.hitCount ?? 0);
    frame.samples += samples;
    return samples;
  };
  const [top] = nodes;
  for (const child of top?.children ?? []) root.samples += add(child, root);
  return root;
}

const escapeXml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

type Placed = { readonly frame: Frame; readonly x: number; readonly depth: number };

function place(frame: Frame, x: number, depth: number, scale: number): Placed[] {
  if (frame.samples * scale < WIDTH_MIN) return [];
  let at = x;
  const callees = [...frame.callees.values()].toSorted((a, b) => b.samples - a.samples);
  const above = callees.flatMap((callee) => {
    const placed = place(callee, at, depth + 1, scale);
    at += callee.samples * scale;
    return placed;
  });
  return [{ frame, x, depth }, ...above];
}

/** Draws a profile as a flame graph: callers below, the width is the share of samples, and each frame has a tooltip with it. */
export function drawFlameGraph(profile: CpuProfile, title: string): string {
  const root = mergeStacks(profile);
  const scale = WIDTH / Math.max(1, root.samples);
  const placed = place(root, 0, 0, scale);
  const rows = Math.max(...placed.map(({ depth }) => depth)) + 1;
  const height = TOP + rows * ROW_HEIGHT;
  const frames = placed.map(({ frame, x, depth }) => {
    const [width, y] = [frame.samples * scale, height - (depth + 1) * ROW_HEIGHT];
    const room = Math.floor((width - 4) / CHARACTER_WIDTH);
    const label = room < 4 ? "" : frame.name.length > room ? `${frame.name.slice(0, room - 1)}…` : frame.name;
    const share = ((frame.samples / root.samples) * 100).toFixed(1);
    const box = `<rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${ROW_HEIGHT - 1}" fill="${COLORS[frame.kind]}"/>`;
    const text = label === "" ? "" : `<text x="${(x + 2).toFixed(1)}" y="${y + 11}">${escapeXml(label)}</text>`;
    return `<g><title>${escapeXml(frame.name)}: ${share} %</title>${box}${text}</g>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="monospace" font-size="10">`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/><text x="8" y="22" font-size="14">${escapeXml(title)}</text>`,
    ...frames,
    "</svg>\n",
  ].join("\n");
}
