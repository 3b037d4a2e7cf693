import { REDIS_TIME } from "./script-time.ts";

/**
 * Admits calls of one user and token, in their order. KEYS: acct, open, tok, then one key for each limit. ARGV: token
 * id (0 when the token has no budget), relay id, when it was sent (0 when unknown); for each limit four values: kind,
 * max, period in ms, tokens (for kind 'tokens' only, else 0); then for each call: request id, amount, minimum amount
 * (held when the balance does not cover `amount`), json. A call that has an entry already (a repeat with an idempotency
 * key runs under the same request id) replaces it, so that `held` stays the sum of the entries; the budget of another
 * token than this one is corrected by REBUILD_HELD. The kinds, all exact over any number of relays:
 * - 'starts': fewer than max calls started in the last period. A list of times, newest first; times older than the
 * period are dropped. The limit that writes decides, so that groups with different limits may share a list.
 * - 'successes': fewer than max calls that started in the last period and succeeded, or still may. SETTLE removes those
 * that failed.
 * - 'running': fewer than max slots. A slot ends with SETTLE, or when its relay has not renewed it for a period.
 * - 'tokens': the tokens used in the last period, plus the estimates of running calls, leave room for the call's
 * `tokens`; a call larger than max is admitted when nothing was used. Counted per second.
 * Returns 'account_missing' | 'token_missing' alone; 'late' and the time in ms for a command that was delayed for
 * seconds, whose call was refused meanwhile; or four values for each call: 'ok', available after, amount held, left of
 * the token's budget after (-1 without one) | 'limited', index, wait ms, 0 | 'user_quota', available, 0, 0 |
 * 'token_quota', available, 0, 0; then for each limit what is left of it (0 for 'running'); and at the end the time in ms, whose second holds the estimate of kind 'tokens' until
 * SETTLE.
 */
export const HOLD = `${REDIS_TIME}
if isLate(ARGV[3]) then return {'late', now} end
local acct, open, tok = KEYS[1], KEYS[2], KEYS[3]
local token = ARGV[1]
local limits = #KEYS - 3
local a = redis.call('HMGET', acct, 'credits', 'spent', 'held')
if not a[1] then return {'account_missing'} end
local available = a[1] - (a[2] or 0) - (a[3] or 0)
local left
if token ~= '0' then
  local t = redis.call('HMGET', tok, 'budget', 'spent', 'held')
  if not t[1] then return {'token_missing'} end
  left = t[1] - (t[2] or 0) - (t[3] or 0)
end
local tail = '|' .. token .. '|' .. ARGV[2] .. '|0|'
local function waitForTime(key, max, period)
  if redis.call('LLEN', key) < max then return end
  local startedAt = tonumber(redis.call('LINDEX', key, max - 1))
  if startedAt and now - startedAt < period then return period - (now - startedAt) end
end
local function recordStart(key, period)
  redis.call('LPUSH', key, now)
  while true do
    local oldest = redis.call('LINDEX', key, -1)
    if not oldest or now - oldest < period then break end
    redis.call('RPOP', key)
  end
  redis.call('PEXPIRE', key, period)
end
local function waitForPlace(key, max, period)
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now - period)
  local over = redis.call('ZCARD', key) - max
  if over >= 0 then return redis.call('ZRANGE', key, over, over, 'WITHSCORES')[2] + period - now end
end
local function waitForSlot(key, max)
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now)
  if redis.call('ZCARD', key) >= max then return 1000 end
end
local function waitForTokens(key, max, period, tokens)
  local used, seconds, all = 0, {}, redis.call('HGETALL', key)
  for i = 1, #all, 2 do
    local ends = all[i] * 1000 + 1000 + period
    if ends <= now then
      redis.call('HDEL', key, all[i])
    else
      used = used + all[i + 1]
      seconds[#seconds + 1] = {ends, tonumber(all[i + 1])}
    end
  end
  if used <= 0 or used + tokens <= max then return end
  table.sort(seconds, function(x, y) return x[1] < y[1] end)
  for i = 1, #seconds do
    used = used - seconds[i][2]
    if used <= 0 or used + tokens <= max then return seconds[i][1] - now end
  end
end
local function limitedBy()
  for i = 1, limits do
    local at, key, wait = i * 4, KEYS[i + 3], nil
    local kind, max, period = ARGV[at], tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
    if kind == 'running' then wait = waitForSlot(key, max)
    elseif kind == 'successes' then wait = waitForPlace(key, max, period)
    elseif kind == 'tokens' then wait = waitForTokens(key, max, period, tonumber(ARGV[at + 3]))
    else wait = waitForTime(key, max, period) end
    if wait then return i - 1, wait end
  end
end
local function record(request)
  for i = 1, limits do
    local at, key = i * 4, KEYS[i + 3]
    local kind, period = ARGV[at], tonumber(ARGV[at + 2])
    if kind == 'starts' then
      recordStart(key, period)
    elseif kind == 'running' or kind == 'successes' then
      redis.call('ZADD', key, kind == 'running' and now + period or now, request)
      redis.call('PEXPIRE', key, period)
    elseif kind == 'tokens' then
      redis.call('HINCRBY', key, math.floor(now / 1000), ARGV[at + 3])
      redis.call('PEXPIRE', key, period + 2000)
    end
  end
end
local function replaced(request)
  local entry = redis.call('HGET', open, request)
  if not entry then return 0, 0 end
  local amount, of = string.match(entry, '^(%d+)|(%d+)|')
  return tonumber(amount), of == token and tonumber(amount) or 0
end
local replies, total, ofToken = {}, 0, 0
local function reply(outcome, first, second, third)
  local at = #replies
  replies[at + 1], replies[at + 2], replies[at + 3], replies[at + 4] = outcome, first, second, third
end
for at = limits * 4 + 4, #ARGV, 4 do
  local amount, least = tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
  local limit, wait = limitedBy()
  local freed, leftFreed = replaced(ARGV[at])
  local free, leftFree = available + freed, left and left + leftFreed
  if limit then
    reply('limited', limit, wait, 0)
  elseif amount > 0 and free < least then
    reply('user_quota', free, 0, 0)
  elseif amount > 0 and left and leftFree < least then
    reply('token_quota', leftFree, 0, 0)
  else
    if amount > 0 and (free < amount or (left and leftFree < amount)) then amount = least end
    available = free - amount
    if left then left = leftFree - amount end
    total, ofToken = total + amount - freed, ofToken + amount - leftFreed
    record(ARGV[at])
    redis.call('HSET', open, ARGV[at], string.format('%d', amount) .. tail .. ARGV[at + 3])
    reply('ok', available, amount, left or -1)
  end
end
if total ~= 0 then redis.call('HINCRBY', acct, 'held', total) end
if left and ofToken ~= 0 then redis.call('HINCRBY', tok, 'held', ofToken) end
for i = 1, limits do
  local kind, max, rest = ARGV[i * 4], tonumber(ARGV[i * 4 + 1]), 0
  if kind == 'starts' then rest = max - redis.call('LLEN', KEYS[i + 3])
  elseif kind == 'successes' then rest = max - redis.call('ZCARD', KEYS[i + 3])
  elseif kind == 'tokens' then
    rest = max
    for _, used in ipairs(redis.call('HVALS', KEYS[i + 3])) do rest = rest - used end
  end
  replies[#replies + 1] = math.max(0, rest)
end
replies[#replies + 1] = now
return replies
`;
