/** Sums what is stored, by the hour in which it expires, and drops the hours that are over. */
const SUM_BYTES = `
local function sumBytes(key, nowHour)
  local sum, all = 0, redis.call('HGETALL', key)
  for i = 1, #all, 2 do
    if tonumber(all[i]) < tonumber(nowHour) then redis.call('HDEL', key, all[i]) else sum = sum + all[i + 1] end
  end
  return sum
end
`;

/**
 * Claims an idempotency key. KEYS: record, bytes of the user. ARGV: fingerprint, relay id, request id, seconds until it
 * expires, largest sum of bytes of the user, bytes of a record, the hour in which it expires, this hour. Returns 'claimed', 'full', or the fingerprint,
 * relay id, request id and state of the record that exists.
 */
export const CLAIM = `${SUM_BYTES}
local known = redis.call('HMGET', KEYS[1], 'fingerprint', 'relay', 'request', 'state')
if known[1] then return known end
if sumBytes(KEYS[2], ARGV[8]) + ARGV[6] > tonumber(ARGV[5]) then return {'full'} end
redis.call('HINCRBY', KEYS[2], ARGV[7], ARGV[6])
redis.call('EXPIRE', KEYS[2], ARGV[4] + 7200)
redis.call('HSET', KEYS[1], 'fingerprint', ARGV[1], 'relay', ARGV[2], 'request', ARGV[3], 'state', 'running', 'bytes', 0, 'hour', ARGV[7])
redis.call('EXPIRE', KEYS[1], ARGV[4])
return {'claimed'}
`;

/**
 * Appends to the stored response of a running call, and ends it; without either it shows that the call still runs. KEYS: record, pieces, bytes of the user. ARGV: relay
 * id, head ('' if it is stored), piece ('' for none), end ('' while the call runs), largest number of bytes of a response (-1: it is not stored any more), and of the user, this hour,
 * seconds until it expires, number of pieces stored before. Returns 1, 0 if the response is not stored because it is too large, -1 if the record is another relay's by now.
 * It may be repeated as it was when its reply was lost: what is stored already is not stored twice.
 */
export const KEEP = `${SUM_BYTES}
local record = redis.call('HMGET', KEYS[1], 'relay', 'state', 'bytes', 'hour')
if record[1] == ARGV[1] and record[2] == 'done' then return 1 end
if record[1] ~= ARGV[1] or record[2] ~= 'running' then return -1 end
redis.call('HINCRBY', KEYS[1], 'beat', 1)
if ARGV[3] ~= '' and redis.call('LLEN', KEYS[2]) > tonumber(ARGV[9]) then return 1 end
local added = #ARGV[2] + #ARGV[3] + #ARGV[4]
if record[3] + added > tonumber(ARGV[5]) or sumBytes(KEYS[3], ARGV[7]) + added > tonumber(ARGV[6]) then
  redis.call('HINCRBY', KEYS[3], record[4], 0 - record[3])
  redis.call('DEL', KEYS[2])
  redis.call('HDEL', KEYS[1], 'head')
  redis.call('HSET', KEYS[1], 'state', 'unstored', 'bytes', 0)
  return 0
end
redis.call('HINCRBY', KEYS[3], record[4], added)
redis.call('HINCRBY', KEYS[1], 'bytes', added)
if ARGV[2] ~= '' then redis.call('HSET', KEYS[1], 'head', ARGV[2]) end
if ARGV[3] ~= '' then
  redis.call('RPUSH', KEYS[2], ARGV[3])
  redis.call('EXPIRE', KEYS[2], ARGV[8])
end
if ARGV[4] ~= '' then redis.call('HSET', KEYS[1], 'state', 'done', 'end', ARGV[4]) end
return 1
`;

/**
 * Reads a response at one point in time: pieces never come without the head. KEYS: record, pieces. ARGV: the first piece to read.
 * Returns state, relay id, head, end and beat of the record, and the pieces.
 */
export const READ = `
return {redis.call('HMGET', KEYS[1], 'state', 'relay', 'head', 'end', 'beat'), redis.call('LRANGE', KEYS[2], ARGV[1], -1)}
`;

/**
 * Removes the record of a call that failed without a charge, so that a repeat runs. KEYS: record, pieces, bytes of the
 * user. ARGV: relay id, bytes of a record, 1 to keep the record without a relay: a repeat then runs under the same request id.
 */
export const RELEASE = `
local record = redis.call('HMGET', KEYS[1], 'relay', 'bytes', 'hour')
if record[1] ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[2])
if ARGV[3] == '1' then
  redis.call('HDEL', KEYS[1], 'head')
  redis.call('HSET', KEYS[1], 'relay', '', 'bytes', 0)
  redis.call('HINCRBY', KEYS[3], record[3], 0 - record[2])
else
  redis.call('DEL', KEYS[1])
  redis.call('HINCRBY', KEYS[3], record[3], 0 - record[2] - ARGV[2])
end
return 1
`;

/** Gives the call of a dead relay to another one. KEYS: record, pieces, bytes of the user. ARGV: the dead relay's id, the new one's. */
export const TAKE_OVER = `
local record = redis.call('HMGET', KEYS[1], 'relay', 'state', 'bytes', 'hour')
if record[1] ~= ARGV[1] or record[2] ~= 'running' then return 0 end
redis.call('DEL', KEYS[2])
redis.call('HDEL', KEYS[1], 'head')
redis.call('HINCRBY', KEYS[3], record[4], 0 - record[3])
redis.call('HSET', KEYS[1], 'relay', ARGV[2], 'bytes', 0)
return 1
`;

/** Counts bytes of all users. KEYS: bytes. ARGV: bytes (negative to release), largest sum, the hour in which they expire, this hour. Returns 1, or 0 if they do not fit. */
export const RESERVE = `${SUM_BYTES}
if tonumber(ARGV[1]) > 0 and sumBytes(KEYS[1], ARGV[4]) + ARGV[1] > tonumber(ARGV[2]) then return 0 end
redis.call('HINCRBY', KEYS[1], ARGV[3], ARGV[1])
return 1
`;
