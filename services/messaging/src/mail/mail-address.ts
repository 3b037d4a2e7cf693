import { AppError } from "@turnpike/shared/errors/app-error";

const ADDRESS_LENGTH_MAX = 254;
/** One plain address: no second address, no display name, no header. */
const ADDRESS = /^[^\s@<>(),;:"\\[\]]+@[^\s@<>(),;:"\\[\]]+$/;

/** Reads one e-mail address; throws mail_address_invalid. */
export function parseAddress(text: string): string {
  const address = text.trim();
  // oxlint-disable-next-line no-control-regex -- control characters must not get into a header
  if (address.length <= ADDRESS_LENGTH_MAX && ADDRESS.test(address) && !/[\u0000-\u001f\u007f]/.test(address))
    return address;
  throw new AppError("mail_address_invalid", "not a single e-mail address");
}
