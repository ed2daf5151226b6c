-- Sets numbers aside for a drawn list, after all given so far; who joins meanwhile stands behind them.
-- ARGV: epoch, offset, origin, count. Answers how many have theirs already, or how many numbers are missing.
local refusal = open(ARGV[1], ARGV[2])
if refusal then return refusal end
local count = tonumber(ARGV[4])
local text = call('HGET', ORIGINS, ARGV[3])
if text then
	local list = cjson.decode(text)
	return { 'ok', list.complete and count or list.placed }
end
local available = room.limit - room.next
for _, block in ipairs(call('ZRANGE', BLOCKS, 0, -1)) do
	local from, to = string.match(block, '^(%d+)-(%d+)$')
	if tonumber(from) > room.limit then available = available + to - from + 1 end
end
if available < count then return { 'numbers', count - available } end
local parts = {}
while count > 0 do
	local first = tonumber(nextNumber())
	local more = math.min(count - 1, room.limit - first)
	room.next = first + more
	parts[#parts + 1] = { first, room.next }
	count = count - 1 - more
end
if room.placing == 0 then room.placing = parts[1][1] end
room.placingAt = room.now
local list = { placed = 0, total = tonumber(ARGV[4]), parts = parts, complete = false }
call('HSET', ORIGINS, ARGV[3], cjson.encode(list))
save()
return { 'ok', 0 }
