-- Counts or only reads the visits of one counter: the total, the UTC day, and the day's distinct visitors.
-- KEYS[1]  counts: hash epoch, rev, total, day (days since 1970-01-01), today.
-- KEYS[2]  visitors: HyperLogLog of the day.
-- ARGV[1]  ms since the epoch; empty means the server's time.
-- ARGV[2…] hashes of the visitors, one per visit; without hashes, the script only reads.
-- Reply:
--   miss                     nothing was counted; load the counter from MongoDB, and retry.
--   ok total today unique    the counts, including these visits.
local counts = redis.call('HMGET', KEYS[1], 'total', 'day', 'today')
if not counts[1] then
  return { 'miss' }
end
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local total, stored, today = tonumber(counts[1]), tonumber(counts[2]), tonumber(counts[3])
local day = math.floor(now / 86400000)
-- The previous day may reappear if a clock was set back, or after a failover to a replica. The stored day then
-- continues.
local isSameDay = stored == day or stored == day + 1

local visits = #ARGV - 1
if visits == 0 then
  if isSameDay then
    return { 'ok', total, today, redis.call('PFCOUNT', KEYS[2]) }
  end
  return { 'ok', total, 0, 0 }
end

if not isSameDay then
  redis.call('DEL', KEYS[2])
  redis.call('HSET', KEYS[1], 'day', string.format('%d', day), 'today', '0')
end
redis.call('PFADD', KEYS[2], unpack(ARGV, 2))
total = redis.call('HINCRBY', KEYS[1], 'total', visits)
today = redis.call('HINCRBY', KEYS[1], 'today', visits)
redis.call('HINCRBY', KEYS[1], 'rev', 1)
redis.call('PEXPIRE', KEYS[1], 259200000)
redis.call('PEXPIRE', KEYS[2], 259200000)
return { 'ok', total, today, redis.call('PFCOUNT', KEYS[2]) }
