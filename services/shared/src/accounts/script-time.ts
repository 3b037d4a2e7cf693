/**
 * A relay waits one second for a response; a command that takes twice as long was delayed on the way, for example in
 * the socket of a Redis that hung, and no caller waits for its result any more.
 */
const LATE_MS = 2_000;

/**
 * Begins a script of the account protocol: `now`, the time of Redis in ms, and whether a command sent at a time of that
 * clock is late (0: unknown, never late). No window depends on the clock of a service.
 */
export const REDIS_TIME = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function isLate(sentAt)
  local at = tonumber(sentAt)
  return at > 0 and now - at > ${LATE_MS}
end
`;
