/** A failure that the operator can fix; the message states how and is printed without a stack. */
export class SetupError extends Error {
  override readonly name = "SetupError";
}
