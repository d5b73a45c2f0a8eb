-- Seeds the counters of one day: raises them to MongoDB's counts, in case Redis has lost some of them.
-- KEYS[1]  usage: hash, fields `DAY:counter` and `DAY:rev`.
-- ARGV[1]  DAY, number of days since 1970-01-01.
-- ARGV[2]  rev in MongoDB.
-- ARGV[3]  ms until the counters expire.
-- ARGV[4…] pairs: counter, used.
-- Reply: 1 raised, 0 nothing was lost.
local day = ARGV[1] .. ':'
if tonumber(redis.call('HGET', KEYS[1], day .. 'rev') or 0) >= tonumber(ARGV[2]) then
  return 0
end
for at = 4, #ARGV, 2 do
  if tonumber(redis.call('HGET', KEYS[1], day .. ARGV[at]) or 0) < tonumber(ARGV[at + 1]) then
    redis.call('HSET', KEYS[1], day .. ARGV[at], ARGV[at + 1])
  end
end
redis.call('HSET', KEYS[1], day .. 'rev', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
