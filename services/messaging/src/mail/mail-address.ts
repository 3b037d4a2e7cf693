import { AppError } from "@turnpike/shared/errors/app-error";

const ADDRESS_LENGTH_MAX = 254;
/** One plain address: nothing by which a second one, a name or a header could come along. */
const ADDRESS = /^[^\s@<>(),;:"\\[\]]+@[^\s@<>(),;:"\\[\]]+$/;

/** Reads one e-mail address; throws mail_address_invalid. */
export function parseAddress(text: string): string {
  const address = text.trim();
  // oxlint-disable-next-line no-control-regex -- control characters are what must not get into a header
  if (address.length <= ADDRESS_LENGTH_MAX && ADDRESS.test(address) && !/[\u0000-\u001f\u007f]/.test(address))
    return address;
  throw new AppError("mail_address_invalid", "not one e-mail address");
}
