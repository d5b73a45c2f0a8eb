-- Consumes one request in every window of a rate limit, or in none if one of them is full. Can also only ask.
-- KEYS[1]  limit: hash, field `windowMs`, value `beganMs spent`; expires with its last window.
-- ARGV[1]  ms since the epoch; empty: the server's time.
-- ARGV[2]  1: consume, 0: only ask.
-- ARGV[3…] pairs: limit, windowMs.
-- Reply: 0 there is room, else ms until the last of the full windows ends (at least 1).
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local wait = 0
local windows = {}
for at = 3, #ARGV, 2 do
  local limit, length = tonumber(ARGV[at]), tonumber(ARGV[at + 1])
  local began, spent = now, 0
  local stored = redis.call('HGET', KEYS[1], ARGV[at + 1])
  if stored then
    local b, s = string.match(stored, '^(%d+) (%d+)$')
    b, s = tonumber(b), tonumber(s)
    -- A window that begins later than now was dated by a wrong clock.
    if b <= now and now < b + length then
      began, spent = b, s
    end
  end
  if spent >= limit then
    wait = math.max(wait, 1, began + length - now)
  end
  windows[#windows + 1] = { ARGV[at + 1], began, spent, length }
end
if wait > 0 or ARGV[2] == '0' then
  return wait
end
local rest = 0
for _, window in ipairs(windows) do
  redis.call('HSET', KEYS[1], window[1], string.format('%d %d', window[2], window[3] + 1))
  rest = math.max(rest, window[2] + window[4] - now)
end
if redis.call('PTTL', KEYS[1]) < rest then
  redis.call('PEXPIRE', KEYS[1], rest)
end
return 0
