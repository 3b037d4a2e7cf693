import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Dashboard, Panel } from "./panel.ts";
import { DASHBOARDS } from "./panels.ts";

/**
 * Writes Grafana's dashboard JSON into the chart; with --check, only reports whether the file is present and up to
 * date.
 */
const folder = join(resolve(import.meta.dirname, "../.."), "deploy/helm/turnpike/dashboards");
const datasource = { type: "prometheus", uid: "${datasource}" };
const WIDTH = 8;
const HEIGHT = 7;

const getPanel = (panel: Panel, index: number): object => ({
  id: index + 1,
  type: panel.kind ?? "timeseries",
  title: panel.title,
  ...(panel.help === undefined ? {} : { description: panel.help }),
  datasource,
  gridPos: { h: HEIGHT, w: WIDTH, x: (index % 3) * WIDTH, y: Math.floor(index / 3) * HEIGHT },
  fieldConfig: { defaults: { unit: panel.unit ?? "short", min: 0 }, overrides: [] },
  options:
    panel.kind === undefined
      ? { legend: { displayMode: "list", placement: "bottom" }, tooltip: { mode: "multi" } }
      : {},
  targets: panel.queries.map(([expr, legendFormat], position) => ({
    refId: String.fromCharCode(65 + position),
    datasource,
    expr,
    legendFormat,
    ...(panel.kind === "table" ? { format: "table", instant: true } : {}),
  })),
});

const getDashboard = ({ uid, title, panels }: Dashboard): string =>
  `${JSON.stringify(
    {
      uid,
      title,
      tags: ["turnpike"],
      timezone: "browser",
      schemaVersion: 39,
      refresh: "30s",
      time: { from: "now-1h", to: "now" },
      templating: { list: [{ name: "datasource", type: "datasource", query: "prometheus", label: "Data source" }] },
      panels: panels.map(getPanel),
    },
    undefined,
    2,
  )}\n`;

mkdirSync(folder, { recursive: true });
for (const dashboard of DASHBOARDS) {
  const path = join(folder, `${dashboard.uid}.json`);
  const text = getDashboard(dashboard);
  if (!process.argv.includes("--check")) writeFileSync(path, text);
  else if (!isDeepStrictEqual(JSON.parse(readFileSync(path, "utf8")), JSON.parse(text)))
    throw new Error(`${path} is not up to date: run make dashboards`);
}
console.log(
  `${DASHBOARDS.length} dashboards, ${DASHBOARDS.reduce((sum, { panels }) => sum + panels.length, 0)} panels`,
);
