-- Refunds a request on the day on which it was counted. No counter falls below zero.
-- KEYS[1]  usage: hash, fields `DAY:counter` and `DAY:rev`.
-- ARGV[1]  DAY, number of days since 1970-01-01.
-- ARGV[2]  units.
-- ARGV[3…] counters.
-- Reply: 1 refunded, 0 nothing was counted, -1 Redis does not have the day's counters.
local rev = ARGV[1] .. ':rev'
if redis.call('HEXISTS', KEYS[1], rev) == 0 then
  return -1
end
local returned = 0
for at = 3, #ARGV do
  local field = ARGV[1] .. ':' .. ARGV[at]
  local units = math.min(tonumber(ARGV[2]), tonumber(redis.call('HGET', KEYS[1], field) or 0))
  if units > 0 then
    redis.call('HINCRBY', KEYS[1], field, -units)
    returned = 1
  end
end
if returned == 1 then
  redis.call('HINCRBY', KEYS[1], rev, 1)
end
return returned
