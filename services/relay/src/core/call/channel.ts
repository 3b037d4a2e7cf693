import { findUpstreamName } from "@turnpike/contract/api/models/model-mapping";
import type { PriceRules } from "@turnpike/contract/pricing/rules/price-rule";
import type { CostSource } from "@turnpike/contract/pricing/channel-cost";

/** What the channel's upstream charges; `prices` is undefined for the catalogue's. */
export type CostSide = {
  readonly source: CostSource;
  readonly factor: number;
  readonly prices: PriceRules | undefined;
};

/** A channel in the form that the hot path needs: everything is parsed once, when the snapshot arrives. */
export type RoutedChannel = {
  readonly id: number;
  readonly name: string;
  readonly type: number;
  readonly baseUrl: string;
  readonly organization: string;
  readonly other: string;
  readonly keys: readonly string[];
  readonly groups: readonly string[];
  /** Model names that callers use, including the prefix. */
  readonly models: readonly string[];
  readonly priority: number;
  readonly weight: number;
  readonly prefix: string;
  readonly modelMapping: Readonly<Record<string, string>>;
  readonly statusCodeMapping: Readonly<Record<string, string>>;
  readonly paramOverride: Readonly<Record<string, unknown>> | undefined;
  readonly drainOnDisconnect: boolean;
  /** The URL of the proxy for its calls. */
  readonly proxy: string | undefined;
  readonly forceFormat: boolean;
  readonly thinkingToContent: boolean;
  /** Upstream is called without streaming, and the stream is generated here. */
  readonly neverStreams: boolean;
  /** Its responses may be cached. */
  readonly cachesResponses: boolean;
  /** True if a setting that changes an attempt is set. */
  readonly hasSetting: boolean;
  readonly cost: CostSide;
};

/** Candidates for a model in a group, in tiers of descending priority. */
export type Tiers = readonly (readonly RoutedChannel[])[];

export type Choice = {
  readonly channel: RoutedChannel;
  readonly key: string;
  /** The latency key: where the time to first byte is measured. */
  readonly latencyKey?: string;
};

/** The name under which a channel requests a model upstream. */
export const getUpstreamModel = ({ prefix, modelMapping }: RoutedChannel, requested: string): string =>
  findUpstreamName(prefix, modelMapping, requested);
