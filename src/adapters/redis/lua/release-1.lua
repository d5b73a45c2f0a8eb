-- Release of a lock, if it is still this grant's.
-- KEYS[1]  lock: the random value of the grant
-- ARGV[1]  value of the grant
-- Reply: 1 released, 0 it is another's or lapsed
if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('DEL', KEYS[1])
end
return 0
