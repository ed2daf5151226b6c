-- The next people of a drawn list, in order; who has a living ticket keeps it.
-- ARGV: epoch, offset, origin, how many were placed before, then holder, party ... Answers how many are placed now.
local refusal = open(ARGV[1], ARGV[2])
if refusal then return refusal end
local text = call('HGET', ORIGINS, ARGV[3])
if not text then return { 'ok', -1 } end
local list = cjson.decode(text)
if list.complete or list.placed ~= tonumber(ARGV[4]) then
	return { 'ok', list.complete and list.total or list.placed }
end
local parts = list.parts
for i = 5, #ARGV, 2 do
	local holder = ARGV[i]
	local own = read(call('HGET', HOLDERS, holder) or nil)
	if not (own and isLiving(own)) then
		local number = int(parts[1][1])
		parts[1][1] = parts[1][1] + 1
		if parts[1][1] > parts[1][2] then table.remove(parts, 1) end
		local ticket = {
			state = 'w', party = tonumber(ARGV[i + 1]), holder = holder, written = false, late = false,
			joinedAt = room.now, claimedAt = 0, due = 0, extended = 0
		}
		call('HSET', HOLDERS, holder, number)
		enlist(number, ticket)
		put(number, ticket)
		room.joined = room.joined + 1
	end
	list.placed = list.placed + 1
end
room.placingAt = room.now
if parts[1] then room.placing = parts[1][1] end
if list.placed >= list.total then
	list.complete, list.version = true, room.seq
	room.placing = 0
	-- Numbers nobody needed go back while nobody has joined behind them.
	if parts[1] and room.next == parts[#parts][2] then
		local limit = room.limit
		room.next, room.limit = parts[1][1] - 1, parts[1][2]
		for part = 2, #parts do
			local to = part == #parts and limit or parts[part][2]
			call('ZADD', BLOCKS, int(parts[part][1]), int(parts[part][1]) .. '-' .. int(to))
		end
		if #parts == 1 then room.limit = limit end
	end
	list.parts = nil
end
call('HSET', ORIGINS, ARGV[3], cjson.encode(list))
raiseMark()
save()
return { 'ok', list.placed }
