/** A failure the person at the keyboard can mend; its message says how and is printed without a stack. */
export class SetupError extends Error {
  override readonly name = "SetupError";
}
