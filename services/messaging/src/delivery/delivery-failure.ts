/**
 * Why a delivery failed. `detail` contains no secret and may be shown to the operator. Final: a retry would not help.
 */
export class DeliveryFailure extends Error {
  readonly detail: string;
  readonly isFinal: boolean;

  constructor(detail: string, options: { isFinal?: boolean; cause?: unknown } = {}) {
    super(detail, { cause: options.cause });
    this.name = "DeliveryFailure";
    this.detail = detail;
    this.isFinal = options.isFinal ?? false;
  }
}
