import { optionsChanged } from "@turnpike/shared/events/auth";
import { pricesChanged, tokenChanged } from "@turnpike/shared/events/billing";
import { connectNatsOnce, createBus } from "@turnpike/shared/events/bus";
import { channelChanged } from "@turnpike/shared/events/channel";
import { createLogger } from "@turnpike/shared/log/log";
import { optionModel, optionRevisionModel } from "../../services/auth/src/options/option-models.ts";
import { createOptionStore } from "../../services/auth/src/options/option-store.ts";
import type { PriceBookDoc } from "../../services/billing/src/store/price-book-document.ts";
import { createPriceBookStore } from "../../services/billing/src/prices/price-book-store.ts";
import { channelModel, routingRevisionModel } from "../../services/channel/src/channels/channel-model.ts";
import { createChannelStore } from "../../services/channel/src/channels/channel-store.ts";
import type { InstallPlace } from "../install-place.ts";
import type { ImportContext } from "./tables/import-context.ts";

const NAME = "import";

async function readRevisions({ connection }: Pick<ImportContext, "connection">) {
  const options = createOptionStore({ options: optionModel(connection), revisions: optionRevisionModel(connection) });
  const channels = createChannelStore({
    channels: channelModel(connection),
    revisions: routingRevisionModel(connection),
  });
  const prices = createPriceBookStore({ priceBook: connection.collection<PriceBookDoc>("price_book") });
  return {
    options: await options.revision(),
    routing: await channels.revision(),
    prices: (await prices.read())?.revision ?? 0,
  };
}

/**
 * Notifies the running services that channels, options, prices and tokens changed, with the events of the services that own them.
 * Returns whether it could: without NATS the services fetch them within a minute.
 */
export async function announceImport(
  context: Pick<ImportContext, "connection">,
  place: Pick<InstallPlace, "natsUrl" | "namespace">,
): Promise<boolean> {
  if (place.natsUrl === undefined) return false;
  const revisions = await readRevisions(context);
  try {
    const nats = await connectNatsOnce({ url: place.natsUrl, name: NAME });
    const bus = createBus({ nats, source: NAME, namespace: place.namespace, log: createLogger(NAME, "warn") });
    bus.notify(optionsChanged, { revision: revisions.options, keys: [] });
    bus.notify(pricesChanged, { revision: revisions.prices, keys: [] });
    bus.notify(channelChanged, { revision: revisions.routing, channelId: 0 });
    // Relays remember unknown keys for seconds; one of them may be known now.
    bus.notify(tokenChanged, { tokenId: 0, userId: 0, keyHash: "" });
    await nats.drain();
    return true;
  } catch {
    return false;
  }
}
