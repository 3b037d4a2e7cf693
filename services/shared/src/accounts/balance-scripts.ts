/**
 * Billing's scripts of the account protocol. A figure of MongoDB may arrive late or twice. `credits` and `budget` are ordered by
 * their revision. `spent` grows, except that the correction of an estimate lowers it: `lowered`, the sum of these
 * corrections, only grows, and of two figures with the same `lowered` the larger `spent` is the newer one.
 */
const TAKE_FIGURES = `
local function take(key, field, value, rev, spent, lowered)
  local now = redis.call('HMGET', key, field, 'rev', 'spent', 'lowered')
  if not now[1] then return false end
  if tonumber(rev) >= tonumber(now[2] or '0') then redis.call('HSET', key, field, value, 'rev', rev) end
  local before, after = tonumber(now[4] or '0'), tonumber(lowered)
  if after > before then
    redis.call('HSET', key, 'spent', spent, 'lowered', lowered)
  elseif after == before and tonumber(spent) > tonumber(now[3] or '0') then
    redis.call('HSET', key, 'spent', spent)
  end
  return true
end
`;

const HELD_OF = `
local function heldOf(open, token)
  local sum = 0
  for _, entry in ipairs(redis.call('HVALS', open)) do
    local amount, of = string.match(entry, '^(%d+)|(%d+)|')
    if amount and (token == '' or of == token) then sum = sum + tonumber(amount) end
  end
  return string.format('%d', sum)
end
`;

/**
 * After billing committed: drops posted entries and takes MongoDB's figures. KEYS: acct, open, then the key of each token. ARGV:
 * credits, rev, spent, lowered, then for each token: id, budget, rev, spent, lowered; then the request ids. An account that is not
 * loaded stays unloaded.
 */
export const POST_USAGE = `${TAKE_FIGURES}
local acct, open = KEYS[1], KEYS[2]
local tokens, keyOf, freed, free = #KEYS - 2, {}, {}, 0
for i = 1, tokens do keyOf[ARGV[i * 5]] = KEYS[i + 2] end
for i = 5 + tokens * 5, #ARGV do
  local entry = redis.call('HGET', open, ARGV[i])
  if entry then
    local amount, token = string.match(entry, '^(%d+)|(%d+)|')
    redis.call('HDEL', open, ARGV[i])
    free = free + tonumber(amount)
    freed[token] = (freed[token] or 0) + tonumber(amount)
  end
end
if free > 0 then redis.call('HINCRBY', acct, 'held', 0 - free) end
for token, amount in pairs(freed) do
  if keyOf[token] and amount > 0 then redis.call('HINCRBY', keyOf[token], 'held', 0 - amount) end
end
take(acct, 'credits', ARGV[1], ARGV[2], ARGV[3], ARGV[4])
for i = 1, tokens do
  local at = i * 5
  take(KEYS[i + 2], 'budget', ARGV[at + 1], ARGV[at + 2], ARGV[at + 3], ARGV[at + 4])
end
return 1
`;

/**
 * Fills an account and, where a token id is given, its budget from MongoDB. KEYS: acct, open, tok. ARGV: credits, rev, spent,
 * lowered, token id or 0, budget, token rev, token spent, token lowered. `held` is summed from the open entries.
 */
export const LOAD = `${TAKE_FIGURES}${HELD_OF}
local function fill(key, field, value, rev, spent, lowered, token)
  if not take(key, field, value, rev, spent, lowered) then
    redis.call('HSET', key, field, value, 'rev', rev, 'spent', spent)
    if lowered ~= '0' then redis.call('HSET', key, 'lowered', lowered) end
  end
  redis.call('HSET', key, 'held', heldOf(KEYS[2], token))
end
fill(KEYS[1], 'credits', ARGV[1], ARGV[2], ARGV[3], ARGV[4], '')
if ARGV[5] ~= '0' then fill(KEYS[3], 'budget', ARGV[6], ARGV[7], ARGV[8], ARGV[9], ARGV[5]) end
return 1
`;

/**
 * Sums `held` of a loaded account (token '') or token from the open entries again. KEYS: acct or tok, open. ARGV: token id or ''.
 * Returns by how much it was wrong.
 */
export const REBUILD_HELD = `${HELD_OF}
local before = redis.call('HGET', KEYS[1], 'held')
if not before then return 0 end
local sum = heldOf(KEYS[2], ARGV[1])
if tonumber(sum) == tonumber(before) then return 0 end
redis.call('HSET', KEYS[1], 'held', sum)
return tonumber(before) - tonumber(sum)
`;

/**
 * Marks entries as claimed by the janitor, which posts them next. A relay that is alive after all finds the mark when it releases
 * the hold, and reports that its call cost nothing. KEYS: open. ARGV: request ids. Returns the entry of each, or false.
 */
export const CLAIM = `
local entries = {}
for i = 1, #ARGV do
  local entry = redis.call('HGET', KEYS[1], ARGV[i])
  entries[i] = entry
  if entry then
    local head, relay, rest = string.match(entry, '^(%d+|%d+|)([^|]*)(|0|.*)$')
    if relay and string.sub(relay, 1, 1) ~= '!' then
      redis.call('HSET', KEYS[1], ARGV[i], head .. '!' .. relay .. rest)
    end
  end
end
return entries
`;
