import { createServer } from "node:http";
import Stripe from "stripe";

export type StripeCall = {
  readonly path: string;
  readonly key: string;
  readonly idempotency: string;
  readonly form: URLSearchParams;
};

/** A fake Stripe that creates checkout sessions from the request, and signs webhooks as Stripe does. */
export async function startScriptedStripe() {
  const calls: StripeCall[] = [];
  const sessions = new Map<string, Record<string, unknown>>();
  const state = { failing: false, count: 0 };
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      const requested = sessions.get(/^\/v1\/checkout\/sessions\/(\w+)$/.exec(request.url ?? "")?.[1] ?? "");
      if (request.method === "GET" && requested) {
        response.setHeader("content-type", "application/json");
        return void response.end(JSON.stringify(requested));
      }
      const form = new URLSearchParams(text);
      const key = String(request.headers.authorization);
      const idempotency = String(request.headers["idempotency-key"]);
      calls.push({ path: request.url ?? "", key, idempotency, form });
      response.setHeader("content-type", "application/json");
      if (state.failing) {
        response.statusCode = 402;
        return void response.end(JSON.stringify({ error: { type: "card_error", message: `no, ${key}` } }));
      }
      const subtotal = Number(form.get("line_items[0][price_data][unit_amount]") ?? "0");
      const quantity = Number(form.get("line_items[0][quantity]") ?? "1");
      const id = `cs_test_${++state.count}`;
      response.end(
        JSON.stringify({
          id,
          object: "checkout.session",
          url: `https://checkout.stripe.example/${id}`,
          amount_subtotal: form.has("line_items[0][price]") ? quantity * 990 : subtotal * quantity,
          currency: form.get("line_items[0][price_data][currency]") ?? "eur",
          client_reference_id: form.get("client_reference_id"),
          payment_status: "unpaid",
          status: "open",
        }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    /** Stripe's response about a session. */
    sessions,
    setFailing: (failing: boolean): void => void (state.failing = failing),
    stop: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}

/** An event with its signature, as Stripe posts it. */
export function stripeEvent(type: string, session: Record<string, unknown>, secret: string, timestamp?: number) {
  const payload = JSON.stringify({ id: `evt_${Math.random()}`, object: "event", type, data: { object: session } });
  const header = { payload, secret, ...(timestamp === undefined ? {} : { timestamp }) };
  return { body: Buffer.from(payload), signature: Stripe.webhooks.generateTestHeaderString(header) };
}
