-- Ends a written change of an account: sets its record, unless another change is running.
-- KEYS[1]  record.
-- KEYS[2]  mark: hash with a field per running change, `seq`, and `mixed` once changes overlap.
-- KEYS[3]  fill: token of the processes that fill the record.
-- KEYS[4]  usage, deleted with the account.
-- KEYS[5]  burst, deleted with the account.
-- ARGV[1]  token of this change.
-- ARGV[2]  another random token.
-- ARGV[3]  version of the account.
-- ARGV[4]  1: the account is gone.
-- ARGV[5]  ms until the record expires.
-- ARGV[6…] fields of the record and their values, alternating.
-- Reply: 1 the record was set, 0 the next admission reads it from MongoDB.
local mine = redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('DEL', KEYS[3])
if ARGV[4] == '1' then
  redis.call('DEL', KEYS[4], KEYS[5])
end
local mixed = redis.call('HEXISTS', KEYS[2], 'mixed')
if redis.call('HLEN', KEYS[2]) - mixed > 1 then
  -- Readings made before this change, under the other change's mark, become invalid.
  redis.call('HSET', KEYS[2], 'seq', ARGV[2])
  return 0
end
redis.call('DEL', KEYS[2])
if mine == 0 or mixed == 1 then
  -- The mark expired or was lost, or other changes began before this one ended: a later change may have been written.
  local version = redis.call('HGET', KEYS[1], 'version')
  if version and tonumber(version) < tonumber(ARGV[3]) then
    redis.call('DEL', KEYS[1])
  end
  return 0
end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], unpack(ARGV, 6))
redis.call('PEXPIRE', KEYS[1], ARGV[5])
return 1
