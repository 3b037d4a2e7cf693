import type { ChannelHours } from "@turnpike/contract/api/channels/channel-health";
import { useTranslation } from "react-i18next";
import { Hint } from "../../../components/hint.tsx";
import { formatMilliseconds, formatShare, formatShort } from "../../../lib/text/format.ts";

type Hours = ChannelHours["hours"];

const HOURS = 24;
const BAR = 3;
const GAP = 1;
const HEIGHT = 20;
const WIDTH = HOURS * (BAR + GAP) - GAP;

/** The sums of the hours, for the text of the image. */
function sumHours(hours: Hours) {
  const count = hours.reduce((sum, hour) => sum + hour.count, 0);
  const errors = hours.reduce((sum, hour) => sum + hour.error_count, 0);
  const totalMs = hours.reduce((sum, hour) => sum + hour.count * hour.average_ms, 0);
  return {
    count,
    share: count + errors === 0 ? 0 : errors / (count + errors),
    averageMs: count === 0 ? 0 : totalMs / count,
  };
}

/** The points of the hours with calls as lines; an hour without calls interrupts the line. */
function toLines(hours: Hours): readonly string[] {
  const slowest = Math.max(1, ...hours.map(({ average_ms: ms }) => ms));
  const lines: string[][] = [[]];
  for (const [index, { count, average_ms: ms }] of hours.entries()) {
    if (count === 0) lines.push([]);
    else
      lines.at(-1)?.push(`${index * (BAR + GAP) + BAR / 2},${(HEIGHT - 1 - (ms / slowest) * (HEIGHT - 3)).toFixed(1)}`);
  }
  return lines.filter((points) => points.length > 1).map((points) => points.join(" "));
}

function Bars({ hours }: { readonly hours: Hours }) {
  const most = Math.max(1, ...hours.map(({ count, error_count: errors }) => count + errors));
  return hours.map(({ hour, count, error_count: errors }, index) => {
    const x = index * (BAR + GAP);
    // A bar of few calls, or of few errors, is still seen.
    const failed = errors === 0 ? 0 : Math.max(1.5, (errors / most) * HEIGHT);
    const whole = count + errors === 0 ? 0 : Math.max(1.5, failed, ((count + errors) / most) * HEIGHT);
    return (
      <g key={hour}>
        <rect x={x} y={HEIGHT - 0.5} width={BAR} height={0.5} className="fill-border" />
        <rect x={x} y={HEIGHT - whole} width={BAR} height={whole} className="fill-muted-foreground/40" />
        <rect x={x} y={HEIGHT - failed} width={BAR} height={failed} className="fill-destructive" />
      </g>
    );
  });
}

type ChannelSparklineProps = {
  readonly name: string;
  /** Undefined while they are read; the place is kept. */
  readonly hours: Hours | undefined;
  readonly scale?: number;
};

/** The last 24 hours of a channel: calls as bars, failed attempts in red, and the mean latency as a line. */
export function ChannelSparkline({ name, hours, scale = 1 }: ChannelSparklineProps) {
  const { t } = useTranslation();
  const size = { width: WIDTH * scale, height: HEIGHT * scale };
  if (!hours) return <span className="block" style={size} />;
  const { count, share, averageMs } = sumHours(hours);
  const figures = [
    t("最近 24 小时"),
    t("{{calls}} 次调用", { calls: formatShort(count), count }),
    t("{{share}} 出错", { share: formatShare(share) }),
    ...(count > 0 ? [t("平均 {{time}}", { time: formatMilliseconds(averageMs) })] : []),
  ];
  return (
    <Hint text={figures.join("\n")}>
      <svg
        role="img"
        aria-label={`${name}: ${figures.join(", ")}`}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        {...size}
        className="block max-w-full"
      >
        <Bars hours={hours} />
        {toLines(hours).map((points) => (
          <polyline key={points} points={points} fill="none" strokeWidth={1} className="stroke-accent-text" />
        ))}
      </svg>
    </Hint>
  );
}
