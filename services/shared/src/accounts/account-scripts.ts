/**
 * The Lua scripts of the account protocol (README.md here). Entries are `amount|token id|relay id|settled 0/1|json`, where json is
 * what the janitor needs to book a call whose relay died.
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
 * token has no budget), relay id, now in ms; for each limit: max, period in ms, record 0/1; then for each call: request id, amount,
 * least amount (held instead of `amount` where no more is there), json.
 * A limit lets a call through while fewer than max were recorded in the last period; the check is exact (sliding window).
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
local function limitedBy()
  for i = 1, limits do
    local max, period = tonumber(ARGV[i * 3 + 1]), tonumber(ARGV[i * 3 + 2])
    if redis.call('LLEN', KEYS[i + 3]) >= max then
      local oldest = tonumber(redis.call('LINDEX', KEYS[i + 3], max - 1))
      if oldest and now - oldest < period then return i - 1, period - (now - oldest) end
    end
  end
end
local function record()
  for i = 1, limits do
    if ARGV[i * 3 + 3] == '1' then
      redis.call('LPUSH', KEYS[i + 3], now)
      redis.call('LTRIM', KEYS[i + 3], 0, tonumber(ARGV[i * 3 + 1]) - 1)
      redis.call('PEXPIRE', KEYS[i + 3], tonumber(ARGV[i * 3 + 2]))
    end
  end
end
local answers, entries, total = {}, {}, 0
local function answer(outcome, first, second, third)
  local at = #answers
  answers[at + 1], answers[at + 2], answers[at + 3], answers[at + 4] = outcome, first, second, third
end
for at = limits * 3 + 4, #ARGV, 4 do
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
    record()
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
 * Raises a running call's hold. KEYS: acct, open, tok. ARGV: request id, new amount. Answers 1, or 0 when a balance does not
 * cover it (the hold then stays as it was).
 */
export const EXTEND = `
local entry = redis.call('HGET', KEYS[2], ARGV[1])
if not entry then return 0 end
local amount, rest = string.match(entry, '^(%d+)|(.*)$')
local token = string.match(rest, '^(%d+)|')
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

/**
 * Puts the real cost of calls of one user and token in their entries, or drops the entry of a call that cost nothing and leaves no
 * record (keep 0). An entry that is gone (Redis was emptied) is made anew, so that the cost counts until it is booked. KEYS: acct,
 * open, tok, then one key for each success limit. ARGV: token id, relay id, now in ms; for each limit: max, period in ms; then for
 * each call: request id, amount, json, keep 0/1. Answers available after (0 for an account that is not loaded), left of the token's
 * budget after (-1 without one).
 */
export const SETTLE = `
local token, tail = ARGV[1], '|' .. ARGV[1] .. '|' .. ARGV[2] .. '|1|'
local limits = #KEYS - 3
local delta = 0
for at = limits * 2 + 4, #ARGV, 4 do
  local entry = redis.call('HGET', KEYS[2], ARGV[at])
  if entry then delta = delta - tonumber(string.match(entry, '^(%d+)|')) end
  if ARGV[at + 3] == '1' then
    delta = delta + tonumber(ARGV[at + 1])
    redis.call('HSET', KEYS[2], ARGV[at], ARGV[at + 1] .. tail .. ARGV[at + 2])
  else
    redis.call('HDEL', KEYS[2], ARGV[at])
  end
  for i = 1, limits do
    redis.call('LPUSH', KEYS[i + 3], ARGV[3])
    redis.call('LTRIM', KEYS[i + 3], 0, tonumber(ARGV[i * 2 + 2]) - 1)
    redis.call('PEXPIRE', KEYS[i + 3], tonumber(ARGV[i * 2 + 3]))
  end
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
export const BOOK = `${ADD_HELD}
local acct, open = KEYS[1], KEYS[2]
local n = tonumber(ARGV[4])
for i = 5 + n * 4, #ARGV do
  local entry = redis.call('HGET', open, ARGV[i])
  if entry then
    local amount, token = string.match(entry, '^(%d+)|(%d+)|')
    redis.call('HDEL', open, ARGV[i])
    addHeld(acct, tokKey(acct, token), -tonumber(amount))
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
