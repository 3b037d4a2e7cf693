import type { IdentityServiceServer, Passkey } from "@turnpike/proto/auth/v1/identity_service";
import { requireSelf } from "@turnpike/shared/grpc/caller";
import type { Handlers } from "@turnpike/shared/grpc/server";
import type { PasskeyDoc } from "./passkey-model.ts";
import type { PasskeyService } from "./passkey-service.ts";

type Rpcs =
  | "beginPasskeyRegistration"
  | "finishPasskeyRegistration"
  | "listPasskeys"
  | "renamePasskey"
  | "deletePasskey"
  | "beginPasskeySignIn"
  | "finishPasskeySignIn";

const toPasskey = (doc: PasskeyDoc): Passkey => ({
  id: doc._id,
  name: doc.name,
  createdAtSeconds: doc.createdAtSeconds,
  lastUsedAtSeconds: doc.lastUsedAtSeconds,
  backedUp: doc.backedUp,
});

/** RPCs over passkeys. */
export const passkeyHandlers = (passkeys: PasskeyService): Pick<Handlers<IdentityServiceServer>, Rpcs> => ({
  async beginPasskeyRegistration({ userId, ...place }, context) {
    return { optionsJson: await passkeys.beginRegistration(requireSelf(context, userId), place) };
  },
  async finishPasskeyRegistration({ userId, credentialJson, name, ...place }, context) {
    const actor = requireSelf(context, userId);
    return { passkey: toPasskey(await passkeys.finishRegistration(actor, { credentialJson, name }, place)) };
  },
  async listPasskeys({ userId }, context) {
    requireSelf(context, userId);
    return { passkeys: (await passkeys.list(userId)).map(toPasskey) };
  },
  async renamePasskey({ userId, id, name }, context) {
    requireSelf(context, userId);
    return { passkey: toPasskey(await passkeys.rename(userId, id, name)) };
  },
  async deletePasskey({ userId, id }, context) {
    requireSelf(context, userId);
    await passkeys.remove(userId, id);
    return {};
  },
  async beginPasskeySignIn(place) {
    return { optionsJson: await passkeys.beginSignIn(place) };
  },
  async finishPasskeySignIn({ credentialJson, ...place }) {
    return { signedIn: await passkeys.finishSignIn(credentialJson, place) };
  },
});
