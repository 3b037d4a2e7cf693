/** Bytes from upstream that are no HTTP/1.1 response. */
export class ProtocolError extends Error {
  constructor(message: string) {
    super(`upstream sent no valid HTTP response: ${message}`);
    this.name = "ProtocolError";
  }
}
