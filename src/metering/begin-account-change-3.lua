-- Begins a change of an account: from now on its record is read from MongoDB, and not filled.
-- KEYS[1]  record.
-- KEYS[2]  mark: hash with a field per running change, `seq`, and `mixed` once changes overlap.
-- KEYS[3]  fill: token of the processes that fill the record.
-- ARGV[1]  random token of this change.
-- ARGV[2]  ms until the mark expires if nothing clears it before.
-- Reply: 1.
if redis.call('EXISTS', KEYS[2]) == 1 then
  redis.call('HSET', KEYS[2], 'mixed', '1')
end
redis.call('HSET', KEYS[2], ARGV[1], '1', 'seq', ARGV[1])
redis.call('PEXPIRE', KEYS[2], ARGV[2])
redis.call('DEL', KEYS[1], KEYS[3])
return 1
