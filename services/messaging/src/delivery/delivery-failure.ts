/** Why a delivery did not succeed. `detail` may be shown to the operator: it holds no secret. Final: another try would not help. */
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
