import type { SecretOptionServiceServer } from "@turnpike/proto/auth/v1/secret_option_service";
import type { SecretBox } from "@turnpike/shared/crypto/secret-box";
import { AppError } from "@turnpike/shared/errors/app-error";
import { requireService } from "@turnpike/shared/grpc/caller";
import type { Handlers } from "@turnpike/shared/grpc/server";
import { parseOptionKey } from "./option-change.ts";
import { isSecretOption } from "./option-reader.ts";
import type { OptionStore } from "./option-store.ts";

/** The RPC through which other services read the secret options they need; never available to users. */
export const secretOptionHandlers = (deps: {
  store: OptionStore;
  secretBox: SecretBox;
}): Handlers<SecretOptionServiceServer> => ({
  async getSecretOptions({ keys }, context) {
    requireService(context);
    const requested = keys.map(parseOptionKey);
    const open = requested.find((key) => !isSecretOption(key));
    if (open !== undefined) throw new AppError("option_unknown", "not a secret option", { params: { key: open } });
    const stored = new Map((await deps.store.readAll()).map(({ key, value }) => [key, value]));
    const read = (key: string): string => {
      const box = stored.get(key) ?? "";
      return box === "" ? "" : deps.secretBox.open(box);
    };
    return { values: Object.fromEntries(requested.map((key) => [key, read(key)])) };
  },
});
