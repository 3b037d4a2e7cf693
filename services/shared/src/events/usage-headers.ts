import { headers, type MsgHdrs } from "@nats-io/transport-node";
import { USAGE_SIGNATURE_HEADER, type UsageSigner } from "../crypto/usage-signature.ts";

/** The headers of a usage message: its signature. */
export function getUsageHeaders(signer: UsageSigner, payload: string): MsgHdrs {
  const made = headers();
  made.set(USAGE_SIGNATURE_HEADER, signer.sign(payload));
  return made;
}
