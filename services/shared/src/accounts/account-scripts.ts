/**
 * The Lua scripts of the account protocol (README.md here). Entries are `amount|token id|relay id|settled 0/1|json`,
 * where json is what the janitor needs to post a call whose relay died. An amount is subtracted from 0 rather than
 * negated: Lua's -0 is no integer to HINCRBY, and the script would fail there.
 */

const ADD_HELD = `
local function addHeld(acct, tok, delta)
  redis.call('HINCRBY', acct, 'held', delta)
  if tok ~= '' then redis.call('HINCRBY', tok, 'held', delta) end
end
local function tokKey(acct, token)
  if token == '0' or token == '' then return '' end
  return string.gsub(acct, 'acct:', 'tok:', 1) .. ':' .. token
end
`;

/**
 * Admits calls of one user and token, in their order. KEYS: acct, open, tok, then one key for each limit. ARGV: token id (0 when the
 * token has no budget), relay id, now in ms; for each limit five values: kind, max, period in ms, tokens, second (the last two for
 * kind 'tokens' only, else 0); then for each call: request id, amount, least amount (held instead of `amount` where no more is
 * there), json. The kinds, all exact over any number of relays:
 * - 'starts': fewer than max times in the last period. A list of times, newest first, of which those older than the period are
 *   dropped: the limit that writes decides, so that groups with different figures may share a list.
 * - 'successes': fewer than max calls that began in the last period and succeeded, or still may. SETTLE takes out those that failed.
 * - 'running': fewer than max slots. A slot ends with SETTLE, or when its relay has not renewed it for a period.
 * - 'tokens': what was used in the last period, and what running calls are taken for, leaves room for the call's `tokens`; a call
 *   larger than max goes through when nothing was used. Kept by the second; `second` is where SETTLE will find the guess.
 * Answers 'account_missing' | 'token_missing' alone, or four values for each call: 'ok', available after, amount held, left of the
 * token's budget after (-1 without one) | 'limited', index, wait ms, 0 | 'user_quota', available, 0, 0 | 'token_quota', available, 0, 0.
 */
export const HOLD = `
local acct, open, tok = KEYS[1], KEYS[2], KEYS[3]
local token, now = ARGV[1], tonumber(ARGV[3])
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
  local noted = tonumber(redis.call('LINDEX', key, max - 1))
  if noted and now - noted < period then return period - (now - noted) end
end
local function noteTime(key, period)
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
    local at, key, wait = i * 5 - 1, KEYS[i + 3], nil
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
    local at, key = i * 5 - 1, KEYS[i + 3]
    local kind, period = ARGV[at], tonumber(ARGV[at + 2])
    if kind == 'starts' then
      noteTime(key, period)
    elseif kind == 'running' or kind == 'successes' then
      redis.call('ZADD', key, kind == 'running' and now + period or now, request)
      redis.call('PEXPIRE', key, period)
    elseif kind == 'tokens' then
      redis.call('HINCRBY', key, ARGV[at + 4], ARGV[at + 3])
      redis.call('PEXPIRE', key, period + 2000)
    end
  end
end
local answers, entries, total = {}, {}, 0
local function answer(outcome, first, second, third)
  local at = #answers
  answers[at + 1], answers[at + 2], answers[at + 3], answers[at + 4] = outcome, first, second, third
end
for at = limits * 5 + 4, #ARGV, 4 do
  local amount, least = tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
  local limit, wait = limitedBy()
  if limit then
    answer('limited', limit, wait, 0)
  elseif amount > 0 and available < least then
    answer('user_quota', available, 0, 0)
  elseif amount > 0 and left and left < least then
    answer('token_quota', left, 0, 0)
  else
    if amount > 0 and (available < amount or (left and left < amount)) then amount = least end
    available = available - amount
    if left then left = left - amount end
    total = total + amount
    record(ARGV[at])
    local count = #entries
    entries[count + 1], entries[count + 2] = ARGV[at], string.format('%d', amount) .. tail .. ARGV[at + 3]
    answer('ok', available, amount, left or -1)
  end
end
if #entries > 0 then
  redis.call('HSET', open, unpack(entries))
  if total > 0 then
    redis.call('HINCRBY', acct, 'held', total)
    if left then redis.call('HINCRBY', tok, 'held', total) end
  end
end
return answers
`;

/**
 * Raises a running call's hold. KEYS: acct, open, tok. ARGV: request id, new amount, then (for calls that go on for long) what a
 * janitor needs to book it as it stands now, which is noted in any case. Answers 1, or 0 when a balance does not cover it (the hold
 * then stays as it was).
 */
export const EXTEND = `
local entry = redis.call('HGET', KEYS[2], ARGV[1])
if not entry then return 0 end
local amount, rest = string.match(entry, '^(%d+)|(.*)$')
local token = string.match(rest, '^(%d+)|')
if ARGV[3] then
  rest = string.match(rest, '^%d+|[^|]*|%d|') .. ARGV[3]
  redis.call('HSET', KEYS[2], ARGV[1], amount .. '|' .. rest)
end
local delta = tonumber(ARGV[2]) - tonumber(amount)
if delta <= 0 then return 1 end
local a = redis.call('HMGET', KEYS[1], 'credits', 'spent', 'held')
if not a[1] or a[1] - (a[2] or 0) - (a[3] or 0) < delta then return 0 end
if token ~= '0' then
  local t = redis.call('HMGET', KEYS[3], 'budget', 'spent', 'held')
  if not t[1] or t[1] - (t[2] or 0) - (t[3] or 0) < delta then return 0 end
  redis.call('HINCRBY', KEYS[3], 'held', delta)
end
redis.call('HINCRBY', KEYS[1], 'held', delta)
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2] .. '|' .. rest)
return 1
`;

/** A relay waits a second for an answer; what takes twice as long has lain somewhere, whatever the clocks say. */
const LATE_MS = 2_000;

/**
 * Puts the real cost of calls of one user and token in their entries, or drops the entry of a call that cost nothing and leaves no
 * record (keep 0). An entry that is gone (Redis was emptied) is made anew, so that the cost counts until it is booked; not by a
 * command that took seconds to get here, whose call billing may have booked meanwhile: nobody would drop that entry. KEYS: acct,
 * open, tok, then one key for each limit that wants to know. ARGV: token id, relay id, now in ms; for each limit five values: kind
 * ('successes' takes out a call that failed, 'running' gives the slot back, 'tokens' puts what was used now in place of the guess),
 * period in ms, second of the guess, guess, used (0 where the kind has none); then for each call: request id, amount, json, keep 0/1.
 * Answers available after (0 for an account that is not loaded), left of the token's budget after (-1 without one).
 */
export const SETTLE = `
local token, tail = ARGV[1], '|' .. ARGV[1] .. '|' .. ARGV[2] .. '|1|'
local limits = #KEYS - 3
local delta = 0
local isLate
local function cameLate()
  if isLate == nil then
    local time = redis.call('TIME')
    isLate = time[1] * 1000 + time[2] / 1000 - tonumber(ARGV[3]) > ${LATE_MS}
  end
  return isLate
end
local function tell(request)
  for i = 1, limits do
    local at, key, now = i * 5 - 1, KEYS[i + 3], tonumber(ARGV[3])
    local kind, period = ARGV[at], tonumber(ARGV[at + 1])
    if kind ~= 'tokens' then
      redis.call('ZREM', key, request)
    else
      if redis.call('HEXISTS', key, ARGV[at + 2]) == 1 then redis.call('HINCRBY', key, ARGV[at + 2], 0 - ARGV[at + 3]) end
      if ARGV[at + 4] ~= '0' then
        redis.call('HINCRBY', key, math.floor(now / 1000), ARGV[at + 4])
        redis.call('PEXPIRE', key, period + 2000)
      end
    end
  end
end
for at = limits * 5 + 4, #ARGV, 4 do
  local entry = redis.call('HGET', KEYS[2], ARGV[at])
  if entry then delta = delta - tonumber(string.match(entry, '^(%d+)|')) end
  if ARGV[at + 3] == '1' then
    if entry or not cameLate() then
      delta = delta + tonumber(ARGV[at + 1])
      redis.call('HSET', KEYS[2], ARGV[at], ARGV[at + 1] .. tail .. ARGV[at + 2])
    end
  else
    redis.call('HDEL', KEYS[2], ARGV[at])
  end
  if limits > 0 then tell(ARGV[at]) end
end
if delta ~= 0 then
  redis.call('HINCRBY', KEYS[1], 'held', delta)
  if token ~= '0' then redis.call('HINCRBY', KEYS[3], 'held', delta) end
end
local a = redis.call('HMGET', KEYS[1], 'credits', 'spent', 'held')
local left = -1
if token ~= '0' then
  local t = redis.call('HMGET', KEYS[3], 'budget', 'spent', 'held')
  left = math.max(0, (t[1] or 0) - (t[2] or 0) - (t[3] or 0))
end
return {a[1] and a[1] - (a[2] or 0) - (a[3] or 0) or 0, left}
`;

/**
 * After billing committed: drops booked entries and raises `spent` to MongoDB's figures. KEYS: acct, open. ARGV: credits, rev,
 * spent, number of tokens n, then n × (token id, budget, rev, spent), then the request ids. An account that is not loaded stays
 * unloaded. Credits and budgets are taken when their revision is not older.
 */
export const POST_USAGE = `${ADD_HELD}
local acct, open = KEYS[1], KEYS[2]
local n = tonumber(ARGV[4])
for i = 5 + n * 4, #ARGV do
  local entry = redis.call('HGET', open, ARGV[i])
  if entry then
    local amount, token = string.match(entry, '^(%d+)|(%d+)|')
    redis.call('HDEL', open, ARGV[i])
    addHeld(acct, tokKey(acct, token), 0 - amount)
  end
end
local function raise(key, field, value, rev, spent)
  local now = redis.call('HMGET', key, field, 'rev', 'spent')
  if not now[1] then return end
  if tonumber(rev) >= tonumber(now[2] or '0') then redis.call('HSET', key, field, value, 'rev', rev) end
  if tonumber(spent) > tonumber(now[3] or '0') then redis.call('HSET', key, 'spent', spent) end
end
raise(acct, 'credits', ARGV[1], ARGV[2], ARGV[3])
for i = 0, n - 1 do
  local at = 5 + i * 4
  raise(tokKey(acct, ARGV[at]), 'budget', ARGV[at + 1], ARGV[at + 2], ARGV[at + 3])
end
return 1
`;

/**
 * Fills an account and, where a token id is given, its budget from MongoDB. KEYS: acct, open, tok. ARGV: credits, rev, spent,
 * token id or 0, budget, token rev, token spent. `held` of a key that was not loaded is made from the open entries.
 */
export const LOAD = `
local function heldOf(token)
  local sum = 0
  for _, entry in ipairs(redis.call('HVALS', KEYS[2])) do
    local amount, of = string.match(entry, '^(%d+)|(%d+)|')
    if token == nil or of == token then sum = sum + tonumber(amount) end
  end
  return sum
end
local function fill(key, field, value, rev, spent, token)
  local now = redis.call('HMGET', key, field, 'rev', 'spent')
  if not now[1] then
    redis.call('HSET', key, field, value, 'rev', rev, 'spent', spent, 'held', heldOf(token))
    return
  end
  if tonumber(rev) >= tonumber(now[2] or '0') then redis.call('HSET', key, field, value, 'rev', rev) end
  if tonumber(spent) > tonumber(now[3] or '0') then redis.call('HSET', key, 'spent', spent) end
end
fill(KEYS[1], 'credits', ARGV[1], ARGV[2], ARGV[3], nil)
if ARGV[4] ~= '0' then fill(KEYS[3], 'budget', ARGV[5], ARGV[6], ARGV[7], ARGV[4]) end
return 1
`;
