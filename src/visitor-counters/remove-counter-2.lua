-- Removes a counter of another epoch, because it was reset or seeded in MongoDB.
-- KEYS[1]  counts: hash epoch, rev, total, day, today
-- KEYS[2]  visitors: HyperLogLog of the day
-- ARGV[1]  epoch in MongoDB
-- Reply: 1
if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then
  redis.call('DEL', KEYS[1], KEYS[2])
end
return 1
