-- Reads a counter for the write to MongoDB.
-- KEYS[1]  counts: hash epoch, rev, total, day (days since 1970-01-01), today.
-- KEYS[2]  visitors: HyperLogLog of the day.
-- Reply: epoch rev total day today visitors; empty when Redis does not have the counter.
local counts = redis.call('HMGET', KEYS[1], 'epoch', 'rev', 'total', 'day', 'today')
if not counts[1] then
  return {}
end
counts[6] = redis.call('GET', KEYS[2]) or ''
return counts
