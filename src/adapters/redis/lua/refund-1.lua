-- Returns one request to the day on which it was counted; never below zero.
-- KEYS[1]  usage: hash, fields `DAY:bucket` and `DAY:rev`
-- ARGV[1]  DAY, days since 1970-01-01
-- ARGV[2]  bucket
-- Reply: 1 returned, 0 there was none, -1 the day's counters are not here
local rev = ARGV[1] .. ':rev'
if redis.call('HEXISTS', KEYS[1], rev) == 0 then
  return -1
end
local field = ARGV[1] .. ':' .. ARGV[2]
if tonumber(redis.call('HGET', KEYS[1], field) or 0) <= 0 then
  return 0
end
redis.call('HINCRBY', KEYS[1], field, -1)
redis.call('HINCRBY', KEYS[1], rev, 1)
return 1
