-- Admits n equal requests of one account, in their order: key check, burst limit and daily quota in one step.
-- KEYS[1]  record: hash keyHash, tier, suspended, version; tier '' is an account that is not there
-- KEYS[2]  mark: hash of the changes under way, with `seq`
-- KEYS[3]  fill: token of those who are filling the record
-- KEYS[4]  usage: hash, fields `DAY:bucket` and `DAY:rev`
-- KEYS[5]  burst: `milliTokens atMs`
-- ARGV[1]  key hash; empty: the caller was authenticated otherwise
-- ARGV[2]  bucket
-- ARGV[3]  count, burst or verify
-- ARGV[4]  n
-- ARGV[5]  plans: `tier=limit/perSecond;…`, a number left out is no limit
-- ARGV[6]  random token, for fill
-- ARGV[7]  ms since the epoch, empty: the server's time
-- ARGV[8]  server's ms after which nobody waits for the reply any more, empty: none
-- ARGV[9]  `seq` of the mark under which the account was read from MongoDB; left out with all after it: it was not
-- ARGV[10] tier that was read, empty: there is no such account
-- ARGV[11] key hash that was read
-- ARGV[12] 1 suspended, as it was read
-- Reply, always with the time in ms as its second:
--   late nowMs                nothing was done
--   marked nowMs seq          read the account, and come again with this seq
--   miss nowMs token          read the account, fill the record with this token, and come again
--   key nowMs, suspended nowMs
--   ok nowMs tier used inBurst inQuota retryAfterSeconds
--                             the first inQuota are admitted, up to inBurst are over the quota, the rest over the burst
local time = redis.call('TIME')
local serverNow = time[1] * 1000 + math.floor(time[2] / 1000)
if ARGV[8] ~= '' and serverNow > tonumber(ARGV[8]) then
  return { 'late', serverNow }
end
local now = tonumber(ARGV[7]) or serverNow

local record = redis.call('HMGET', KEYS[1], 'tier', 'keyHash', 'suspended')
local tier, keyHash, suspended = record[1], record[2], record[3]
if not tier then
  local seq = redis.call('HGET', KEYS[2], 'seq')
  if seq then
    if seq ~= ARGV[9] then
      return { 'marked', now, seq }
    end
    tier, keyHash, suspended = ARGV[10], ARGV[11], ARGV[12]
  else
    local token = redis.call('GET', KEYS[3])
    if not token then
      token = ARGV[6]
      redis.call('SET', KEYS[3], token, 'PX', 5000)
    end
    return { 'miss', now, token }
  end
end

if tier == '' or (ARGV[1] ~= '' and keyHash ~= ARGV[1]) then
  return { 'key', now }
end
if suspended == '1' then
  return { 'suspended', now }
end

local n, charge = tonumber(ARGV[4]), ARGV[3]
local limit, perSecond = string.match(ARGV[5], tier .. '=(%d*)/(%d*)')
limit, perSecond = tonumber(limit), tonumber(perSecond)

local day = string.format('%d', math.floor(now / 86400000))
local field = day .. ':' .. ARGV[2]
local used = tonumber(redis.call('HGET', KEYS[4], field) or 0)

local inBurst, retryAfter = n, 0
if perSecond and charge ~= 'verify' then
  local milli = perSecond * 1000
  local stored = redis.call('GET', KEYS[5])
  if stored then
    local tokens, at = string.match(stored, '^(%d+) (%d+)$')
    -- A clock that is set back refills nothing.
    milli = math.min(milli, tonumber(tokens) + math.max(0, now - tonumber(at)) * perSecond)
  end
  inBurst = math.min(n, math.floor(milli / 1000))
  milli = milli - inBurst * 1000
  retryAfter = math.max(1, math.ceil((1000 - milli) / 1000 / perSecond))
  redis.call('SET', KEYS[5], string.format('%d %d', milli, now), 'PX', 10000)
end

local inQuota = inBurst
if charge == 'count' then
  if limit then
    inQuota = math.max(0, math.min(inBurst, limit - used))
  end
  if inQuota > 0 then
    redis.call('HINCRBY', KEYS[4], field, inQuota)
    if redis.call('HINCRBY', KEYS[4], day .. ':rev', 1) == 1 then
      -- The first of its day: what is older than yesterday goes.
      for _, name in ipairs(redis.call('HKEYS', KEYS[4])) do
        if tonumber(string.match(name, '^%d+')) < tonumber(day) - 1 then
          redis.call('HDEL', KEYS[4], name)
        end
      end
      redis.call('PEXPIRE', KEYS[4], 259200000)
    end
  end
end
return { 'ok', now, tier, used, inBurst, inQuota, retryAfter }
