/** A channel as the hot path needs it: everything parsed once, when the snapshot arrives. */
export type RoutedChannel = {
  readonly id: number;
  readonly name: string;
  readonly type: number;
  readonly baseUrl: string;
  readonly organization: string;
  readonly other: string;
  readonly keys: readonly string[];
  readonly groups: readonly string[];
  /** Names callers use, prefix included. */
  readonly models: readonly string[];
  readonly priority: number;
  readonly weight: number;
  readonly prefix: string;
  readonly modelMapping: Readonly<Record<string, string>>;
  readonly statusCodeMapping: Readonly<Record<string, string>>;
  readonly paramOverride: Readonly<Record<string, unknown>> | undefined;
  readonly drainOnDisconnect: boolean;
  /** The address of the proxy that its calls go through. */
  readonly proxy: string | undefined;
  readonly forceFormat: boolean;
  readonly thinkingToContent: boolean;
  /** Streams are asked for whole upstream, and made here. */
  readonly neverStreams: boolean;
  /** Its answers may be kept, and given again. */
  readonly cachesResponses: boolean;
  /** True when one of those that change an attempt is set. */
  readonly hasSetting: boolean;
};

/** Candidates for a model in a group, in tiers of falling priority. */
export type Tiers = readonly (readonly RoutedChannel[])[];

export type Choice = {
  readonly channel: RoutedChannel;
  readonly key: string;
  /** Where the time to the first byte is measured, and under which name. */
  readonly latencyKey?: string;
};

/** The model's name upstream: the prefix goes, then the mapping (written with or without the prefix) applies once. */
export function getUpstreamModel(channel: RoutedChannel, requested: string): string {
  const bare =
    channel.prefix !== "" && requested.startsWith(channel.prefix) ? requested.slice(channel.prefix.length) : requested;
  const mapping = channel.modelMapping;
  // A test of the channel may name the model without the prefix.
  for (const name of [requested, bare, channel.prefix + bare])
    if (Object.hasOwn(mapping, name)) return mapping[name] ?? bare;
  return bare;
}
