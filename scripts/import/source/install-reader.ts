import type { ChannelDoc } from "../../../services/channel/src/channels/channel-model.ts";
import type { ChannelFields } from "../../../services/channel/src/channels/channel-fields.ts";
import type { TokenDoc } from "../../../services/billing/src/store/account-documents.ts";
import type { UserDoc } from "../../../services/auth/src/users/user-model.ts";

/** What a row is called in the source: a number, or a name that begins with its kind. */
export type SourceId = number | string;

/** A user of the source in the format used here; amounts are quota units, and the balance is separate. */
export type ReadUser = {
  readonly sourceId: SourceId;
  readonly inviterSourceId: SourceId;
  readonly doc: Omit<UserDoc, "_id">;
  readonly accessToken: string;
  readonly webhookSecret: string;
  readonly quota: number;
  readonly used: number;
  readonly requestCount: number;
};

/** A key of the source, or why it cannot be imported. */
export type ReadToken = {
  readonly sourceId: SourceId;
  readonly userSourceId: SourceId;
  /** How the key is stored here. */
  readonly key: Pick<TokenDoc, "keyBox" | "keyHash">;
  readonly obstacle: string | undefined;
  readonly doc: Omit<TokenDoc, "_id" | "userId" | "keyBox" | "keyHash">;
};

/** A channel of the source. */
export type ReadChannel = {
  readonly sourceId: SourceId;
  /** Names the channel in a note. */
  readonly label: string;
  readonly used: number;
  /** Its fields and keys by the rules for new channels; throws AppError for the first rule it breaks. */
  readonly read: () => { readonly fields: ChannelFields; readonly keys: readonly string[] };
  readonly state: Pick<
    ChannelDoc,
    "status" | "statusReason" | "statusAtSeconds" | "responseTimeMs" | "testedAtSeconds" | "createdAtSeconds"
  >;
};

/** Reads an install of another gateway, whatever its tables are; each call reads all rows again. */
export type InstallReader = {
  /** The gateway's name. */
  readonly product: string;
  readonly readOptions: () => Iterable<{ readonly key: string; readonly value: string }>;
  readonly readChannels: () => Iterable<ReadChannel>;
  readonly readUsers: () => Iterable<ReadUser>;
  readonly readTokens: () => Iterable<ReadToken>;
};
