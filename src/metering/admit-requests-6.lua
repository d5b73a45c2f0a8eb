-- Admits n equal requests of one account in order: key check, burst limit and daily quota in one step.
-- KEYS[1]  record: hash tier, until, suspended, version, shape, own, and a field for each key. An empty tier: no such account.
--          until is ms since the epoch from which the tier is free; empty or missing: the tier has no known end.
-- KEYS[2]  mark: hash of the running changes, with `seq`.
-- KEYS[3]  fill: token of the processes that fill the record.
-- KEYS[4]  usage: hash, fields `DAY:counter` and `DAY:rev`.
-- KEYS[5]  burst of this kind of key: `milliTokens atMs`, negative for a debt.
-- KEYS[6]  share of the page's visitor in this burst, in the same form.
-- ARGV[1]  field of the key: `keyHash`, or `p:` and the hash of a publishable key.
-- ARGV[2]  key hash, the value of `keyHash`; empty: the caller was authenticated by other means.
-- ARGV[3]  origins that allow the page which sent a publishable key, separated by spaces.
-- ARGV[4]  bucket.
-- ARGV[5]  counter of the publishable key.
-- ARGV[6]  count, burst or verify.
-- ARGV[7]  n.
-- ARGV[8]  units that each request counts.
-- ARGV[9]  tokens that each request costs.
-- ARGV[10] 1: the visitor has a share.
-- ARGV[11] part of the burst that refills a share per second.
-- ARGV[12] plans: `tier=limit/perSecond;…`; a missing number means no limit.
-- ARGV[13] random token, for fill.
-- ARGV[14] ms since the epoch; empty: the server's time.
-- ARGV[15] time in the server's ms at which the process gives up; empty: never.
-- ARGV[16] `seq` of the mark under which the account was read from MongoDB. ARGV[16…] are missing if it was not read.
-- ARGV[17] tier in MongoDB; empty: there is no such account.
-- ARGV[18] 1: suspended in MongoDB.
-- ARGV[19] value of the key's field in MongoDB; empty: there is no such key.
-- ARGV[20] pages of own brands in MongoDB.
-- ARGV[21] until in MongoDB.
-- Value of a publishable key's field: `dailyLimit|origin origin …`, each part may be empty.
-- Reply. The second item is always the time in ms:
--   late nowMs                nothing was done.
--   marked nowMs seq          read the account, and call again with this seq.
--   miss nowMs token          read the account, fill the record with this token, and call again.
--   key nowMs, suspended nowMs, origin nowMs.
--   ok nowMs tier used inBurst inQuota retryAfterSeconds own [keyUsed keyLimit].
--                             the first inQuota requests are admitted. The next ones up to inBurst are over the quota.
--                             The rest are over the burst. own: the pages of own brands.
--                             keyUsed: only for a publishable key; keyLimit: only if this key has a limit.
local time = redis.call('TIME')
local serverNow = time[1] * 1000 + math.floor(time[2] / 1000)
if ARGV[15] ~= '' and serverNow > tonumber(ARGV[15]) then
  return { 'late', serverNow }
end
local now = tonumber(ARGV[14]) or serverNow

local isPublishable = ARGV[1] ~= 'keyHash'
local record = redis.call('HMGET', KEYS[1], 'tier', ARGV[1], 'suspended', 'shape', 'own', 'until')
local tier, key, suspended, own, tierEnd = record[1], record[2], record[3], record[5] or '', record[6]
-- Releases without own brands wrote a lower shape.
if not tier or (tonumber(record[4]) or 0) < 3 then
  local seq = redis.call('HGET', KEYS[2], 'seq')
  if seq then
    if seq ~= ARGV[16] then
      return { 'marked', now, seq }
    end
    tier, suspended, own, tierEnd = ARGV[17], ARGV[18], ARGV[20], ARGV[21]
    key = ARGV[19] ~= '' and ARGV[19]
  else
    local token = redis.call('GET', KEYS[3])
    if not token then
      token = ARGV[13]
      redis.call('SET', KEYS[3], token, 'PX', 5000)
    end
    return { 'miss', now, token }
  end
end

if tier == '' or (isPublishable and not key) or (ARGV[2] ~= '' and key ~= ARGV[2]) then
  return { 'key', now }
end
if suspended == '1' then
  return { 'suspended', now }
end
if tierEnd and tierEnd ~= '' and now >= tonumber(tierEnd) then
  tier = 'free'
end
local keyLimit
if isPublishable then
  local limitText, origins = string.match(key, '^(%d*)|(.*)$')
  keyLimit = tonumber(limitText)
  local allowed = origins == ''
  origins = ' ' .. origins .. ' '
  for origin in string.gmatch(ARGV[3], '%S+') do
    allowed = allowed or string.find(origins, ' ' .. origin .. ' ', 1, true) ~= nil
  end
  if not allowed then
    return { 'origin', now }
  end
end

local n, units, charge = tonumber(ARGV[7]), tonumber(ARGV[8]), ARGV[6]
local limit, perSecond = string.match(ARGV[12], tier .. '=(%d*)/(%d*)')
limit, perSecond = tonumber(limit), tonumber(perSecond)

local day = string.format('%d', math.floor(now / 86400000))
local field = day .. ':' .. ARGV[4]
local used = tonumber(redis.call('HGET', KEYS[4], field) or 0)
local keyField, keyUsed = day .. ':' .. ARGV[5], 0
if isPublishable then
  keyUsed = tonumber(redis.call('HGET', KEYS[4], keyField) or 0)
end

-- Returns the current state of a bucket in thousandths of a token.
local function refilled(name, burst, milliPerMs)
  local stored = redis.call('GET', name)
  if not stored then
    return burst
  end
  local tokens, at = string.match(stored, '^(-?%d+) (%d+)$')
  -- A clock that was set back refills nothing.
  return math.min(burst, tonumber(tokens) + math.max(0, now - tonumber(at)) * milliPerMs)
end

-- The bucket expires ten seconds after it is full again.
local function store(name, milli, burst, milliPerMs)
  redis.call('SET', name, string.format('%d %d', math.floor(milli), now), 'PX', math.ceil((burst - milli) / milliPerMs) + 10000)
end

local inBurst, retryAfter = n, 0
if perSecond and charge ~= 'verify' then
  -- Same rule as `takeCost` in burst.ts.
  local burst, cost, part = perSecond * 1000, tonumber(ARGV[9]) * 1000, tonumber(ARGV[11])
  local hasShare = ARGV[10] == '1'
  local shared = refilled(KEYS[5], burst, perSecond)
  local ownBurst = math.max(1, math.ceil(perSecond / 2)) * 1000
  local own = hasShare and refilled(KEYS[6], ownBurst, perSecond * part) or math.huge
  local needed = math.floor(perSecond * 3 / 4) * 1000 + cost
  inBurst = 0
  while inBurst < n do
    if shared >= 1000 and own >= 1000 then
      own = own - cost
    elseif shared < needed then
      break
    end
    shared = shared - cost
    inBurst = inBurst + 1
  end
  local missing = math.max(1000 - shared, (1000 - own) / part)
  if needed <= burst then
    missing = math.min(missing, needed - shared)
  end
  retryAfter = math.max(1, math.ceil(missing / burst))
  store(KEYS[5], shared, burst, perSecond)
  if hasShare then
    store(KEYS[6], own, ownBurst, perSecond * part)
  end
end

local inQuota = inBurst
if charge == 'count' then
  if limit and keyLimit then
    -- The last tenth is reserved for the API key.
    limit = limit - math.floor(limit / 10)
  end
  if limit then
    inQuota = math.max(0, math.min(inQuota, math.floor((limit - used) / units)))
  end
  if keyLimit then
    inQuota = math.max(0, math.min(inQuota, math.floor((keyLimit - keyUsed) / units)))
  end
  if inQuota > 0 then
    redis.call('HINCRBY', KEYS[4], field, inQuota * units)
    if isPublishable then
      redis.call('HINCRBY', KEYS[4], keyField, inQuota * units)
    end
    if redis.call('HINCRBY', KEYS[4], day .. ':rev', 1) == 1 then
      -- At the first request of a day, counters older than yesterday are removed.
      for _, name in ipairs(redis.call('HKEYS', KEYS[4])) do
        if tonumber(string.match(name, '^%d+')) < tonumber(day) - 1 then
          redis.call('HDEL', KEYS[4], name)
        end
      end
      redis.call('PEXPIRE', KEYS[4], 259200000)
    end
  end
end
if isPublishable then
  return { 'ok', now, tier, used, inBurst, inQuota, retryAfter, own, keyUsed, keyLimit }
end
return { 'ok', now, tier, used, inBurst, inQuota, retryAfter, own }
