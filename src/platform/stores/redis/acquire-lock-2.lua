-- Attempt to acquire a lock: granted when the lock is free and this attempt is the first in the queue.
-- KEYS[1]  lock: the random value of the grant.
-- KEYS[2]  waiting: sorted set of the values that wait, by the microseconds since the epoch at which they give up.
-- ARGV[1]  value of this attempt, the same each time it is repeated.
-- ARGV[2]  ms until the lock expires, if it is not renewed.
-- ARGV[3]  ms that it waits from now, 0 not at all.
-- Reply: 0 granted, else its place in the queue.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', string.format('%d', now))
local before = redis.call('ZRANK', KEYS[2], ARGV[1]) or redis.call('ZCARD', KEYS[2])
if before == 0 and redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2], 'NX') then
  redis.call('ZREM', KEYS[2], ARGV[1])
  return 0
end
if ARGV[3] ~= '0' then
  redis.call('ZADD', KEYS[2], 'NX', string.format('%d', now + ARGV[3] * 1000), ARGV[1])
  -- Longer than anybody waits.
  redis.call('PEXPIRE', KEYS[2], 60000)
end
return before + 1
