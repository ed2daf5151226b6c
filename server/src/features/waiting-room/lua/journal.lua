-- What has changed since PostgreSQL last heard, oldest first. ARGV: epoch, offset, max. Answers the clocks, drawn lists
-- that are placed and copied in full, and number, ticket ... as stored.
local refusal = open(ARGV[1], ARGV[2])
if refusal then return refusal end
local answer = { 'ok', room.stopped, room.frozenSince, call('HGET', META, 'stops') or '', {} }
local changed = call('ZRANGE', DIRTY, 0, ARGV[3] - 1, 'WITHSCORES')
local oldest = tonumber(changed[2]) or math.huge
local lists = call('HGETALL', ORIGINS)
for i = 1, #lists, 2 do
	local list = cjson.decode(lists[i + 1])
	if list.complete and not list.saved and list.version < oldest then table.insert(answer[5], lists[i]) end
end
for i = 1, #changed, 2 do
	answer[#answer + 1] = changed[i]
	answer[#answer + 1] = call('HGET', TICKETS, changed[i])
end
return answer
