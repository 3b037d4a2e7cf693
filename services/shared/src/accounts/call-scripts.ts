import { REDIS_TIME } from "./script-time.ts";

/**
 * The scripts of a running call. Entries are `amount|token id|relay id|settled 0/1|json`, where json is what the janitor
 * needs to post a call whose relay died; the relay id of an entry that the janitor has claimed begins with "!". An
 * amount is subtracted from 0 rather than negated: Lua's -0 is no integer to HINCRBY, and the script would fail there.
 */

/**
 * Raises a running call's hold, or makes it again where Redis has lost it. KEYS: acct, open, tok. ARGV: request id, new amount,
 * token id, relay id, json ('' leaves that of the entry), when it was sent (0 when unknown), what the call held before. A hold that
 * is missing is first made again with what it held before, whatever the balance is by now: the call was admitted with it. Returns
 * 1, 0 when a balance does not cover the rest (the hold then stays as it was), -1 when the account or the token is not loaded. A
 * command that took seconds to get here makes no hold again: its call may have ended.
 */
export const EXTEND = `${REDIS_TIME}
local acct, open, tok = KEYS[1], KEYS[2], KEYS[3]
local entry = redis.call('HGET', open, ARGV[1])
if not entry and isLate(ARGV[6]) then return 1 end
local held, token, owner, json = 0, ARGV[3], ARGV[4], ARGV[5]
if entry then
  local amount, ofToken, relay, settled, old = string.match(entry, '^(%d+)|(%d+)|([^|]*)|(%d)|(.*)$')
  if settled == '1' then return 1 end
  held, token, owner = tonumber(amount), ofToken, relay
  if json == '' then json = old end
  if json ~= old then redis.call('HSET', open, ARGV[1], amount .. '|' .. token .. '|' .. owner .. '|0|' .. json) end
  if tonumber(ARGV[2]) <= held then return 1 end
end
if redis.call('HEXISTS', acct, 'credits') == 0 then return -1 end
if token ~= '0' and redis.call('HEXISTS', tok, 'budget') == 0 then return -1 end
local function hold(amount, by)
  redis.call('HINCRBY', acct, 'held', by)
  if token ~= '0' then redis.call('HINCRBY', tok, 'held', by) end
  redis.call('HSET', open, ARGV[1], amount .. '|' .. token .. '|' .. owner .. '|0|' .. json)
end
if not entry then
  held = tonumber(ARGV[7])
  hold(ARGV[7], held)
end
local delta = tonumber(ARGV[2]) - held
if delta <= 0 then return 1 end
local a = redis.call('HMGET', acct, 'credits', 'spent', 'held')
if a[1] - (a[2] or 0) - (a[3] or 0) < delta then return 0 end
if token ~= '0' then
  local t = redis.call('HMGET', tok, 'budget', 'spent', 'held')
  if t[1] - (t[2] or 0) - (t[3] or 0) < delta then return 0 end
end
hold(ARGV[2], delta)
return 1
`;

/**
 * Records how far running calls are. KEYS: open. ARGV: for each call a line with its request id and one with what a janitor needs to
 * post it as it stands now, in one argument: each argument has its price for the client.
 */
export const STORE_PROGRESS = `
for id, json in string.gmatch(ARGV[1], '([^\\n]*)\\n([^\\n]*)\\n') do
  local entry = redis.call('HGET', KEYS[1], id)
  local head = entry and string.match(entry, '^(%d+|%d+|[^|]*|0|)')
  if head then redis.call('HSET', KEYS[1], id, head .. json) end
end
return 1
`;

/**
 * Finds the calls that one relay holds for and has not settled. KEYS: open. ARGV: relay id. Returns request id and token id of each.
 */
export const FIND_HOLDS = `
local found, all = {}, redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  local token, relay, settled = string.match(all[i + 1], '^%d+|(%d+)|([^|]*)|(%d)|')
  if settled == '0' and relay == ARGV[1] then
    found[#found + 1] = all[i]
    found[#found + 1] = token
  end
end
return found
`;

/**
 * Writes the exact cost of calls of one user and token into their entries, or drops the entry of a call that cost
 * nothing and leaves no record (keep 0). A missing entry (Redis was emptied) is created again, so that the cost counts
 * until it is posted. A command that was delayed for seconds does not create one: billing may have posted the call
 * meanwhile, and nothing would drop that entry. KEYS: acct, open, tok, then one key for each limit that the settlement
 * updates. ARGV: token id, relay id, when it was sent (0 when unknown); for each limit five values: kind ('successes'
 * removes a call that failed, 'running' frees the slot, 'tokens' replaces the estimate by what was used), period in ms,
 * second of the estimate, estimate, used (0 where the kind has none); then for each call: request id, amount, json,
 * keep 0/1. Returns available after (0 for an account that is not loaded), left of the token's budget after (-1 without
 * one), the time in ms, 1 if an entry was not created because of the delay (else 0), then the ids of dropped calls that
 * had no entry or one that the janitor has claimed: it has posted them, or will.
 */
export const SETTLE = `${REDIS_TIME}
local token, tail = ARGV[1], '|' .. ARGV[1] .. '|' .. ARGV[2] .. '|1|'
local limits = #KEYS - 3
local delta, unmade, lost = 0, 0, {}
local function reportState(request)
  for i = 1, limits do
    local at, key = i * 5 - 1, KEYS[i + 3]
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
    if entry or not isLate(ARGV[3]) then
      delta = delta + tonumber(ARGV[at + 1])
      redis.call('HSET', KEYS[2], ARGV[at], ARGV[at + 1] .. tail .. ARGV[at + 2])
    else
      unmade = 1
    end
  else
    if not entry or string.match(entry, '^%d+|%d+|!') then lost[#lost + 1] = ARGV[at] end
    redis.call('HDEL', KEYS[2], ARGV[at])
  end
  if limits > 0 then reportState(ARGV[at]) end
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
return {a[1] and a[1] - (a[2] or 0) - (a[3] or 0) or 0, left, now, unmade, unpack(lost)}
`;
