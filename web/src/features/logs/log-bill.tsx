import type { LogDetails, LogEntry } from "@turnpike/contract/api/log";
import { DOLLARS_PER_MILLION } from "@turnpike/contract/pricing/dollars";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Money } from "../../components/money.tsx";
import {
  Table,
  TableBody,
  TableCell,
  TableFooter,
  TableHead,
  TableHeader,
  TableRow,
} from "../../components/ui/table.tsx";
import { formatCount, formatDollars, formatPrice, formatQuota, formatRatio } from "../../lib/text/format.ts";
import { useMoneyDisplay } from "../../lib/status.ts";
import { type Bill, distribute, toBill } from "./bill.ts";

/** The common factors of all lines: the group's ratio, the share of a cached response and the region's factor. */
const sharedFactors = ({ groupRatio, cachedRatio, regionRatio }: Bill): readonly number[] => [
  groupRatio,
  ...[cachedRatio, regionRatio].filter((ratio) => ratio !== 1),
];

const product = (factors: readonly number[]): number => factors.reduce((all, factor) => all * factor, 1);

const figure = "h-7 pr-0 pl-2 text-right tabular-nums sm:pl-4";
const headFigure = `${figure} font-normal max-sm:align-bottom max-sm:whitespace-normal`;
const wideFigure = `${figure} max-sm:hidden`;

type TokenBillProps = { readonly bill: Extract<Bill, { mode: "tokens" }>; readonly entry: LogEntry };

function BillHead() {
  const { t } = useTranslation();
  return (
    <TableHeader>
      <TableRow>
        <TableHead className="h-7 px-0 font-normal">{t("项目")}</TableHead>
        <TableHead className={headFigure}>{t("Token 数")}</TableHead>
        <TableHead className={`${headFigure} max-sm:hidden`}>{t("倍率")}</TableHead>
        <TableHead className={headFigure}>{t("每百万 Token 价格")}</TableHead>
        <TableHead className={headFigure}>{t("费用")}</TableHead>
      </TableRow>
    </TableHeader>
  );
}

type BillLineProps = {
  readonly name: ReactNode;
  readonly count: number;
  readonly factors: string;
  readonly price: string;
  readonly quota: number;
};

function BillLine({ name, count, factors, price, quota }: BillLineProps) {
  const display = useMoneyDisplay();
  return (
    <TableRow>
      <TableCell className="h-7 px-0 whitespace-normal">{name}</TableCell>
      <TableCell className={figure}>{formatCount(count)}</TableCell>
      <TableCell className={wideFigure}>{factors}</TableCell>
      <TableCell className={figure}>{price}</TableCell>
      <TableCell className={figure}>{formatQuota(display.inCurrency ? quota : Math.round(quota), display)}</TableCell>
    </TableRow>
  );
}

/** A kind of token of a request that the provider made within the call. */
function IterationName({ origin, label }: { readonly origin: string; readonly label: string }) {
  return (
    <>
      <code className="font-mono text-xs">{origin}</code> {label}
    </>
  );
}

/** The lines of a bill and their sum: a statement of a few lines, with nothing to sort or to hide. */
function TokenBill({ bill, entry }: TokenBillProps) {
  const { t } = useTranslation();
  const shared = sharedFactors(bill);
  const amounts = distribute(
    entry.quota,
    [...bill.lines, ...bill.surcharges].map(({ quota }) => quota),
  );
  return (
    <Table className="max-w-2xl">
      <BillHead />
      <TableBody>
        {bill.lines.map(({ label, origin, tokens, ratio }, index) => {
          // Exact prices have no ratio of the model.
          const factors = [...(bill.hasRates ? [] : [bill.modelRatio]), ratio, ...shared];
          return (
            <BillLine
              key={`${index} ${label}`}
              name={origin === undefined ? t(label) : <IterationName origin={origin} label={t(label)} />}
              count={tokens}
              factors={factors.map(formatRatio).join(" × ")}
              price={formatPrice(product(factors) * DOLLARS_PER_MILLION)}
              quota={amounts[index] ?? 0}
            />
          );
        })}
        {bill.surcharges.map(({ name, count, dollars, per }, index) => (
          <BillLine
            key={name}
            name={<code className="font-mono text-xs">{name}</code>}
            count={count}
            factors={`× ${shared.map(formatRatio).join(" × ")}`}
            price={t("{{price}} / {{per}}", { price: formatDollars(dollars), per: formatCount(per) })}
            quota={amounts[bill.lines.length + index] ?? 0}
          />
        ))}
      </TableBody>
      <TableFooter className="bg-transparent">
        <TableRow>
          <TableCell className="h-7 px-0" colSpan={3}>
            {t("合计（取整到额度单位）")}
          </TableCell>
          <TableCell className="max-sm:hidden" />
          <TableCell className={figure}>
            <Money quota={entry.quota} />
          </TableCell>
        </TableRow>
      </TableFooter>
    </Table>
  );
}

function CallBill({ bill, entry }: { readonly bill: Extract<Bill, { mode: "call" }>; readonly entry: LogEntry }) {
  const { t } = useTranslation();
  const group = sharedFactors(bill).map(formatRatio).join(" × ");
  const price = formatDollars(bill.dollars);
  return (
    <p className="text-[13px] tabular-nums">
      {bill.pieces === 1
        ? t("按次计费：{{price}} × 分组倍率 {{group}}", { price, group })
        : t("按件计费：{{price}} × {{pieces}} × 分组倍率 {{group}}", {
            price,
            group,
            pieces: formatRatio(bill.pieces),
          })}
      {bill.surcharges.map(({ name, count, dollars, per }) => (
        <span key={name}>
          {" + "}
          <code className="font-mono text-xs">{name}</code> {formatCount(count)} × {formatDollars(dollars / per)} ×{" "}
          {group}
        </span>
      ))}
      {" = "}
      <Money quota={entry.quota} className="font-medium" />
    </p>
  );
}

/** What chose the price among those of the model: tier, prompt length, region, kind of image. */
function PriceChoice({ details }: { readonly details: LogDetails }) {
  const { t } = useTranslation();
  const { price_tier: tier, service_tier: named, price_band: band, region, region_ratio: regional } = details;
  const facts = [
    tier !== undefined && details.price_tier_assumed !== true && t("按服务等级 {{tier}} 的价格计费。", { tier }),
    details.price_tier_assumed === true &&
      t("上游使用了没有价格的服务等级 {{tier}}，按已知最贵的价格计费。", { tier: named ?? "" }),
    band !== undefined &&
      t("提示超过 {{tokens}} 个 Token，整次调用按该分段的价格计费。", { tokens: formatCount(band) }),
    regional !== undefined &&
      t("由地区 {{region}} 处理，再乘以 {{ratio}}。", { region: region ?? "", ratio: formatRatio(regional) }),
    details.price_kind !== undefined && t("图片的质量和尺寸：{{kind}}。", { kind: details.price_kind }),
  ].filter((fact) => typeof fact === "string");
  return facts.map((fact) => (
    <p key={fact} className="text-xs text-muted-foreground">
      {fact}
    </p>
  ));
}

type LogBillProps = { readonly entry: LogEntry; readonly details: LogDetails };

/** The explanation of a call's cost. */
export function LogBill({ entry, details }: LogBillProps) {
  const { t } = useTranslation();
  const { quotaPerUnit } = useMoneyDisplay();
  const bill = toBill(entry, details, quotaPerUnit);
  if (!bill) return null;
  return (
    <section className="flex flex-col gap-1">
      <h2 className="text-xs font-medium text-muted-foreground">{t("账单")}</h2>
      {bill.mode === "tokens" ? <TokenBill bill={bill} entry={entry} /> : <CallBill bill={bill} entry={entry} />}
      {bill.mode === "tokens" && (
        <p className="text-xs text-muted-foreground">
          {bill.hasRates
            ? t("倍率依次为：项目 × 分组。倍率 1 等于每百万 Token {{price}}。", {
                price: formatDollars(DOLLARS_PER_MILLION),
              })
            : t("倍率依次为：模型 × 项目 × 分组。倍率 1 等于每百万 Token {{price}}。", {
                price: formatDollars(DOLLARS_PER_MILLION),
              })}
        </p>
      )}
      <PriceChoice details={details} />
      {bill.cachedRatio !== 1 && (
        <p className="text-xs text-muted-foreground">
          {t("回答来自缓存，最后再乘以 {{ratio}}。", { ratio: formatRatio(bill.cachedRatio) })}
        </p>
      )}
      {details.usage_estimated === true && (
        <p className="text-xs text-warn">{t("上游没有报告用量，Token 数由网关估算。")}</p>
      )}
    </section>
  );
}
