/** Runs steps one after another, each when the one before has ended, however it ended. */
export function createTurns(): <Result>(step: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (step) => {
    const mine = last.then(step, step);
    last = mine.catch(() => undefined);
    return mine;
  };
}
