/**
 * What the scripts share. KEYS[1] orders what a user stores by the time at which it expires, KEYS[2] holds its bytes, in
 * all and of each member; a member's own key has the prefix of KEYS[1]. Replies end with what was dropped: the hour in which it would have
 * expired, and its bytes, in turn.
 */
const BOUNDS = `
local dropped = {}
local function reply(...)
  local reply = {...}
  for _, value in ipairs(dropped) do table.insert(reply, value) end
  return reply
end
local function drop(member)
  local bytes = redis.call('HGET', KEYS[2], member)
  if bytes then
    local expiry = redis.call('ZSCORE', KEYS[1], member) or 0
    table.insert(dropped, math.floor(tonumber(expiry) / 3600000))
    table.insert(dropped, tonumber(bytes))
    redis.call('HDEL', KEYS[2], member)
    redis.call('HINCRBY', KEYS[2], 'all', 0 - bytes)
  end
  redis.call('ZREM', KEYS[1], member)
  redis.call('DEL', string.sub(KEYS[1], 1, -6) .. member)
end
local function makeRoom(bytes, most, now, kept)
  for _, member in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now)) do drop(member) end
  local own = tonumber(redis.call('HGET', KEYS[2], kept) or 0)
  if own + bytes > most then return false end
  while tonumber(redis.call('HGET', KEYS[2], 'all') or 0) + bytes > most do
    local oldest = redis.call('ZRANGE', KEYS[1], 0, 1)
    local member = oldest[1] ~= kept and oldest[1] or oldest[2]
    if not member then return true end
    drop(member)
  end
  return true
end
local function count(member, bytes, expiry)
  redis.call('HINCRBY', KEYS[2], member, bytes)
  redis.call('HINCRBY', KEYS[2], 'all', bytes)
  redis.call('ZADD', KEYS[1], expiry, member)
  redis.call('EXPIRE', KEYS[1], 2764800)
  redis.call('EXPIRE', KEYS[2], 2764800)
end
`;

/** Whether a relay's run of a response is the current one. A response without the field is in its first run. */
const OWNS = `
local function owns(key, relay, run)
  local stored = redis.call('HMGET', key, 'relay', 'run')
  return stored[1] == relay and (stored[2] or '0') == run
end
`;

/**
 * Stores a response, in place of the user's oldest ones where the space is used up. KEYS: order, bytes, response. ARGV: member, now in
 * ms, seconds until it expires, most bytes of the user, state, relay id, sealed content, 1 if it must be stored already, SHA-1 of the
 * sealed content that it replaces ('' for any), run of the response that ends ('' for any). Returns 1, 0 if it was deleted meanwhile or
 * that run no longer owns it, -1 if it is too large, -2 if another content is stored, and by how many bytes more are stored.
 */
export const PUT = `${BOUNDS}${OWNS}
if ARGV[10] ~= '' and not (owns(KEYS[3], ARGV[6], ARGV[10]) and redis.call('HGET', KEYS[3], 'state') == 'running') then
  return reply(0, 0)
end
local old = redis.call('HGET', KEYS[3], 'content')
if ARGV[8] == '1' and not old then return reply(0, 0) end
if ARGV[9] ~= '' and redis.sha1hex(old or '') ~= ARGV[9] then return reply(-2, 0) end
local bytes = #ARGV[7] - (old and #old or 0)
if not makeRoom(bytes, tonumber(ARGV[4]), ARGV[2], ARGV[1]) then return reply(-1, 0) end
redis.call('HSET', KEYS[3], 'state', ARGV[5], 'relay', ARGV[6], 'content', ARGV[7])
redis.call('EXPIRE', KEYS[3], ARGV[3])
count(ARGV[1], bytes, ARGV[2] + ARGV[3] * 1000)
return reply(1, bytes)
`;

/**
 * Appends sealed events. KEYS: order, bytes, events, response. ARGV: member, now in ms, seconds until they expire, most bytes of the
 * user, sealed events ('' for none), number of pieces stored before, relay id, run of a background response ('' for others). Returns
 * whether they are stored (1, 2 if they were before, 0 if events are missing, or -1 if the run no longer owns the response), and '1' if the
 * response was cancelled, or is not stored (any more).
 */
export const APPEND = `${BOUNDS}${OWNS}
if ARGV[8] ~= '' and redis.call('EXISTS', KEYS[4]) == 1 and not owns(KEYS[4], ARGV[7], ARGV[8]) then return reply(-1, '') end
local cancelled = (redis.call('HGET', KEYS[4], 'cancel') or redis.call('EXISTS', KEYS[4]) == 0) and '1' or ''
if ARGV[5] == '' then return reply(1, cancelled) end
local stored = redis.call('LLEN', KEYS[3])
if stored > tonumber(ARGV[6]) then return reply(2, cancelled) end
if stored < tonumber(ARGV[6]) or not makeRoom(#ARGV[5], tonumber(ARGV[4]), ARGV[2], ARGV[1]) then
  drop(ARGV[1])
  return reply(0, cancelled)
end
redis.call('RPUSH', KEYS[3], ARGV[5])
redis.call('EXPIRE', KEYS[3], ARGV[3])
count(ARGV[1], #ARGV[5], ARGV[2] + ARGV[3] * 1000)
return reply(1, cancelled)
`;

/** Deletes a response and its events. KEYS: order, bytes, response. ARGV: their members. Returns whether the response was stored. */
export const REMOVE = `${BOUNDS}
local known = redis.call('EXISTS', KEYS[3])
drop(ARGV[1])
drop(ARGV[2])
return reply(known)
`;

/** Requests that the relay which runs a response cancels it. KEYS: response. Returns 1 if it is running. */
export const CANCEL = `
if redis.call('HGET', KEYS[1], 'state') ~= 'running' then return 0 end
redis.call('HSET', KEYS[1], 'cancel', '1')
return 1
`;

/**
 * Gives a running response to another relay. KEYS: response, events. ARGV: relay that ran it, relay that takes it over, 1 if the
 * first one died. The second one may repeat it, if the reply was lost. Returns nothing if it does not run there (any more), else its run, how many of its relays have died, how many pieces of
 * events are stored, and '1' if it was cancelled.
 */
export const TAKE_OVER = `
local stored = redis.call('HMGET', KEYS[1], 'state', 'relay', 'cancel')
if stored[1] ~= 'running' or (stored[2] ~= ARGV[1] and stored[2] ~= ARGV[2]) then return {} end
redis.call('HSET', KEYS[1], 'relay', ARGV[2])
local run = redis.call('HINCRBY', KEYS[1], 'run', 1)
local deaths = redis.call('HINCRBY', KEYS[1], 'deaths', stored[2] == ARGV[1] and ARGV[3] or 0)
return {run, deaths, redis.call('LLEN', KEYS[2]), stored[3] or ''}
`;

/** Gives up a running response, for any relay to take over. KEYS: response. ARGV: relay id, run, the owner that stands for none. */
export const HAND_OVER = `${OWNS}
if redis.call('HGET', KEYS[1], 'state') ~= 'running' or not owns(KEYS[1], ARGV[1], ARGV[2]) then return 0 end
redis.call('HSET', KEYS[1], 'relay', ARGV[3])
return 1
`;
