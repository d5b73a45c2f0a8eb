-- Fill of an account's record with what was read from MongoDB, unless a change began meanwhile.
-- KEYS[1]  record
-- KEYS[2]  fill: token of those who are filling the record
-- ARGV[1]  token that stood before MongoDB was read
-- ARGV[2]  ms until the record expires
-- ARGV[3…] fields of the record and their values, in turn
-- Reply: 1 filled, 0 a change began, or another has filled it
if redis.call('GET', KEYS[2]) ~= ARGV[1] then
  return 0
end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], unpack(ARGV, 3))
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('DEL', KEYS[2])
return 1
