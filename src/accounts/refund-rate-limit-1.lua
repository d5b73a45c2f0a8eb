-- Refunds one request in every window of a rate limit. No count falls below zero.
-- KEYS[1]  limit: hash, field `windowMs`, value `beganMs spent`.
-- ARGV[1…] windowMs.
-- Reply: 1.
for _, window in ipairs(ARGV) do
  local stored = redis.call('HGET', KEYS[1], window)
  if stored then
    local began, spent = string.match(stored, '^(%d+) (%d+)$')
    if tonumber(spent) > 0 then
      redis.call('HSET', KEYS[1], window, string.format('%s %d', began, tonumber(spent) - 1))
    end
  end
end
return 1
