import { useTranslation } from "react-i18next";
import { formatShare } from "../../lib/text/format.ts";

const WIDTH = 4;
const GAP = 2;
const HEIGHT = 20;
const DEGRADED_FROM = 0.05;
const FAILING_FROM = 0.5;
const HOUR_SECONDS = 3_600;

/** The colour of an hour, and the height of its bar: the state does not hang on the colour alone. */
function getLook(share: number | null): { readonly fill: string; readonly height: number } {
  if (share === null) return { fill: "fill-border", height: HEIGHT / 4 };
  if (share >= FAILING_FROM) return { fill: "fill-destructive", height: HEIGHT };
  if (share >= DEGRADED_FROM) return { fill: "fill-warn", height: HEIGHT * 0.8 };
  return { fill: "fill-good", height: HEIGHT * 0.6 };
}

type HourStripProps = {
  /** The share of failed calls by hour; null without calls. */
  readonly hours: readonly (number | null)[];
  readonly firstHour: number;
};

/** The last 24 hours as bars, oldest first: coloured and higher with the share of failed calls. */
export function HourStrip({ hours, firstHour }: HourStripProps) {
  const { t, i18n } = useTranslation();
  const format = new Intl.DateTimeFormat(i18n.language, { hour: "2-digit", minute: "2-digit", hour12: false });
  const toTime = (index: number): string => format.format((firstHour + index * HOUR_SECONDS) * 1_000);
  const known = hours.filter((share) => share !== null);
  const worst = hours.reduce<number>((at, share, index) => ((share ?? -1) > (hours[at] ?? -1) ? index : at), 0);
  const label =
    known.length === 0
      ? t("最近 24 小时没有调用")
      : t("最近 24 小时里 {{count}} 个小时有调用，错误率最高 {{share}}，在 {{time}}", {
          count: known.length,
          share: formatShare(hours[worst] ?? 0),
          time: toTime(worst),
        });
  const width = hours.length * (WIDTH + GAP) - GAP;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      width={width}
      height={HEIGHT}
      className="max-w-full"
    >
      {hours.map((share, index) => {
        const { fill, height } = getLook(share);
        const text = share === null ? t("没有调用") : formatShare(share);
        return (
          // The hours stand in order; they have no other name.
          // oxlint-disable-next-line no-array-index-key
          <g key={index}>
            <title>{`${toTime(index)} · ${text}`}</title>
            <rect x={index * (WIDTH + GAP)} width={WIDTH} height={HEIGHT} className="fill-transparent" />
            <rect x={index * (WIDTH + GAP)} y={HEIGHT - height} width={WIDTH} height={height} rx={1} className={fill} />
          </g>
        );
      })}
    </svg>
  );
}
