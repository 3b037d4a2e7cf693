import type { Backings } from "../../scripts/backing/find-all.ts";

/** Where the backing services are, and which part of them is ours. */
export type BackingUrls = {
  readonly mongodbUrl: string;
  readonly redisUrl: string;
  readonly natsUrl: string;
  /** Prefix of Redis keys and NATS subjects. */
  readonly namespace: string;
};

export const urlsOf = (backings: Backings): BackingUrls => ({
  mongodbUrl: backings.mongodbUrl,
  redisUrl: backings.redisUrl,
  natsUrl: backings.natsUrl,
  namespace: "",
});

/** The same servers with a database and a namespace of that name. */
export function ownPlace(urls: BackingUrls, name: string): BackingUrls {
  const mongodb = new URL(urls.mongodbUrl);
  mongodb.pathname = `/turnpike_${name}`;
  return { ...urls, mongodbUrl: mongodb.toString(), namespace: name };
}
