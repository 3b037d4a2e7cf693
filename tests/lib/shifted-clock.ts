/** Preloaded into a process (`--import`): its clock is CLOCK_SHIFT_MS ahead, as on a machine without time synchronisation. */
const shiftMs = Number(process.env["CLOCK_SHIFT_MS"] ?? 0);
const RealDate = Date;
const now = (): number => RealDate.now() + shiftMs;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args: [], newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as object,
  apply: () => new RealDate(now()).toString(),
  get: (target, name, receiver) => (name === "now" ? now : Reflect.get(target, name, receiver)),
});
