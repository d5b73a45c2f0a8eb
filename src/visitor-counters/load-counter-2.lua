-- Loads a counter with the values from MongoDB, unless Redis already has it.
-- KEYS[1]  counts: hash epoch, rev, total, day (days since 1970-01-01), today.
-- KEYS[2]  visitors: HyperLogLog of the day.
-- ARGV[1]  epoch.
-- ARGV[2]  rev.
-- ARGV[3]  total.
-- ARGV[4]  day.
-- ARGV[5]  today.
-- ARGV[6]  bytes of the visitors; empty means none.
-- Reply: 1 if it was loaded, 0 if Redis already had it.
if redis.call('EXISTS', KEYS[1]) == 1 then
  return 0
end
redis.call('HSET', KEYS[1], 'epoch', ARGV[1], 'rev', ARGV[2], 'total', ARGV[3], 'day', ARGV[4], 'today', ARGV[5])
redis.call('PEXPIRE', KEYS[1], 259200000)
redis.call('DEL', KEYS[2])
if ARGV[6] ~= '' then
  redis.call('SET', KEYS[2], ARGV[6], 'PX', 259200000)
end
return 1
