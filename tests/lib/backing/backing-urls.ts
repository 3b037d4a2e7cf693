/** Addresses of the backing services and the namespace that one test or one system uses. */
export type BackingUrls = {
  readonly mongodbUrl: string;
  readonly redisUrl: string;
  readonly natsUrl: string;
  /** Prefix of Redis keys and NATS subjects. */
  readonly namespace: string;
};

/** The addresses only, without a namespace. */
export const toBackingUrls = (backing: Omit<BackingUrls, "namespace">): BackingUrls => ({
  mongodbUrl: backing.mongodbUrl,
  redisUrl: backing.redisUrl,
  natsUrl: backing.natsUrl,
  namespace: "",
});

/** The same servers with a database and a namespace of that name. */
export function withNamespace(urls: BackingUrls, name: string): BackingUrls {
  const mongodb = new URL(urls.mongodbUrl);
  mongodb.pathname = `/turnpike_${name}`;
  return { ...urls, mongodbUrl: mongodb.toString(), namespace: name };
}
