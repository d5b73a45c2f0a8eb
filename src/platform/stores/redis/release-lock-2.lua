-- Release of a lock, if it is still this grant's, and of its place in the queue.
-- KEYS[1]  lock: the random value of the grant.
-- KEYS[2]  waiting: sorted set of the values that wait.
-- ARGV[1]  value of the grant.
-- Reply: 1 released, 0 it is another's or expired.
redis.call('ZREM', KEYS[2], ARGV[1])
if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('DEL', KEYS[1])
end
return 0
