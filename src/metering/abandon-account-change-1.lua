-- Ends a change of an account that was not written.
-- KEYS[1]  mark: hash with a field per running change, `seq`, and `mixed` once changes overlap.
-- ARGV[1]  token of this change.
-- Reply: 1.
redis.call('HDEL', KEYS[1], ARGV[1])
if redis.call('HLEN', KEYS[1]) - redis.call('HEXISTS', KEYS[1], 'mixed') <= 1 then
  redis.call('DEL', KEYS[1])
end
return 1
