-- Fills an account's record with the values read from MongoDB, unless a change began in the meantime.
-- KEYS[1]  record.
-- KEYS[2]  fill: token of the processes that fill the record.
-- ARGV[1]  token that was set before MongoDB was read.
-- ARGV[2]  ms until the record expires.
-- ARGV[3…] fields of the record and their values, alternating.
-- Reply: 1 filled, 0 a change began, or another process has filled the record.
if redis.call('GET', KEYS[2]) ~= ARGV[1] then
  return 0
end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], unpack(ARGV, 3))
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('DEL', KEYS[2])
return 1
