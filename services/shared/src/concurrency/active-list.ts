/** Where an item stands in its list, which whoever added it keeps in order to remove it. */
export type ActivePlace<T> = { item: T | undefined; index: number };

/**
 * Items that are under way, in no order, each added and removed once. A Set would serve, but under load its tables are
 * replaced all the time; V8 keeps every replaced one, with what it held, until the next collection of the whole heap once
 * the collector has moved the first of them to the old generation. With one Set of responses and one of attempts, every
 * call was moved there: a quarter of the processor time of a call.
 */
export class ActiveList<T> {
  readonly #places: ActivePlace<T>[] = [];

  add(item: T): ActivePlace<T> {
    const place = { item, index: this.#places.length };
    this.#places.push(place);
    return place;
  }

  /** Does nothing for an item that was removed before. */
  remove(place: ActivePlace<T>): void {
    if (place.item === undefined) return;
    place.item = undefined;
    const last = this.#places.pop();
    if (!last || last === place) return;
    this.#places[place.index] = last;
    last.index = place.index;
  }

  /** The items at this moment: some may be removed while the caller goes through them. */
  list(): T[] {
    return this.#places.flatMap(({ item }) => (item === undefined ? [] : [item]));
  }
}
