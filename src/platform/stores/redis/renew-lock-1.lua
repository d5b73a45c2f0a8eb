-- Renewal of a lock's time, if it is still this grant's.
-- KEYS[1]  lock: the random value of the grant.
-- ARGV[1]  value of the grant.
-- ARGV[2]  ms until it expires.
-- Reply: 1 renewed, 0 it is another's or expired.
if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return 0
