import { type JetStreamClient, JetStreamApiError } from "@nats-io/jetstream";
import type { UsageSigner } from "@turnpike/shared/crypto/usage-signature";
import type { NatsConnection } from "@turnpike/shared/events/bus";
import { getUsageHeaders } from "@turnpike/shared/events/usage-headers";

/** NATS' own default, used until the server has reported its limit. */
const PAYLOAD_BYTES_DEFAULT = 1024 * 1024;
/** JetStream's error code for a message that exceeds the stream's own limit. */
const MESSAGE_TOO_LARGE = 10_054;

/** NATS will never accept this message, however often it is sent. */
export class MessageRefused extends Error {
  override readonly name = "MessageRefused";
}

export type UsageStream = {
  /**
   * Resolves once JetStream acknowledged the message; rejects in bounded time, with MessageRefused if retrying is
   * pointless. `id` deduplicates redelivered messages.
   */
  readonly publish: (payload: string, id: string) => Promise<void>;
  /** Maximum bytes of a message: half of the server's limit, which leaves room for headers and for a lower limit after a reconnect. */
  readonly payloadBytesMax: () => number;
};

/** The relay's side of the usage stream. */
export function createUsageStream(
  nats: Pick<NatsConnection, "info">,
  client: Pick<JetStreamClient, "publish">,
  subject: string,
  signer: UsageSigner,
): UsageStream {
  const limit = (): number => nats.info?.max_payload ?? PAYLOAD_BYTES_DEFAULT;
  return {
    async publish(payload, id) {
      if (Buffer.byteLength(payload) > limit()) throw new MessageRefused("larger than the server's max_payload");
      try {
        await client.publish(subject, payload, { msgID: id, headers: getUsageHeaders(signer, payload) });
      } catch (error) {
        const isTooLarge = error instanceof JetStreamApiError && error.code === MESSAGE_TOO_LARGE;
        throw isTooLarge ? new MessageRefused("larger than the stream's limit", { cause: error }) : error;
      }
    },
    payloadBytesMax: () => Math.floor(limit() / 2),
  };
}
