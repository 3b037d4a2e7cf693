/** The callbacks of payment providers, whose shapes the providers set. `services/gateway/src/routes/payment-hooks.ts` serves them. */
const TEXT = { "text/plain": { schema: { type: "string", enum: ["success", "fail"] } } };
const RECEIVED = {
  "application/json": {
    schema: {
      type: "object",
      required: ["received"],
      properties: { received: { type: "boolean" }, accepted: { type: "boolean" }, reason: { type: "string" } },
    },
  },
};
const FAILURES = Object.fromEntries(
  [413, 429, 431, 500].map((status) => [status, { $ref: `#/components/responses/Failure${status}` }]),
);

const common = (operationId: string, summary: string) => ({
  operationId,
  summary,
  description: "For payment providers: the signature decides whether it counts.",
  tags: ["payment-callbacks"],
  security: [],
});

const epayResponses = {
  "200": {
    description: "`success` once the notification is processed; providers send it again until then.",
    content: TEXT,
  },
  "503": { description: "Not processed.", content: TEXT },
  ...FAILURES,
};

const stripe = (operationId: string) => ({
  ...common(operationId, "Receive an event of Stripe"),
  parameters: [
    {
      name: "stripe-signature",
      in: "header",
      required: false,
      description: "Stripe's signature of the body.",
      schema: { type: "string" },
    },
  ],
  requestBody: { required: true, content: { "application/json": { schema: { type: "object" } } } },
  responses: {
    "200": { description: "Processed.", content: RECEIVED },
    "400": { description: "The signature is not valid.", content: RECEIVED },
    "404": { description: "The order is unknown.", content: RECEIVED },
    "503": { description: "Not processed.", content: RECEIVED },
    ...FAILURES,
  },
});

const form = { type: "object", additionalProperties: { type: "string" } };

export const PAYMENT_HOOK_PATHS = {
  "/api/user/epay/notify": {
    get: {
      ...common("getUserEpayNotify", "Receive a notification of epay"),
      parameters: [
        {
          name: "fields",
          in: "query",
          required: false,
          description: "Fields of the notification with their signature.",
          style: "form",
          explode: true,
          schema: form,
        },
      ],
      responses: epayResponses,
    },
    post: {
      ...common("postUserEpayNotify", "Receive a notification of epay"),
      requestBody: { required: false, content: { "application/x-www-form-urlencoded": { schema: form } } },
      responses: epayResponses,
    },
  },
  "/api/stripe/webhook": { post: stripe("postStripeWebhook") },
  "/api/user/stripe/webhook": { post: stripe("postUserStripeWebhook") },
};
