-- Fills the record of an account with what MongoDB said, if no change began meanwhile.
-- KEYS[1]  record
-- KEYS[2]  fill: token of those who are filling the record
-- ARGV[1]  token that stood before MongoDB was read
-- ARGV[2]  version of the account; 0 when there is none
-- ARGV[3]  tier; empty: there is none
-- ARGV[4]  key hash; empty: revoked
-- ARGV[5]  1 suspended
-- ARGV[6]  ms until the record expires
-- Reply: 1 filled, 0 a change began, or another has filled it
if redis.call('GET', KEYS[2]) ~= ARGV[1] then
  return 0
end
redis.call('HSET', KEYS[1], 'keyHash', ARGV[4], 'tier', ARGV[3], 'suspended', ARGV[5], 'version', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[6])
redis.call('DEL', KEYS[2])
return 1
