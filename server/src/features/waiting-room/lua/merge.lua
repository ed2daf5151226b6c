-- Takes in a ticket that is known from elsewhere, unless what stands here is newer. Of two living tickets of one
-- holder the better one stays. Returns whether it was taken in.
local function merge(number, ticket)
	local before = read(number)
	if before and before.version >= ticket.version then return false end
	if before then
		unlist(number, before)
		if call('HGET', HOLDERS, before.holder) == number then call('HDEL', HOLDERS, before.holder) end
	else
		room.joined = room.joined + 1
	end
	if ticket.claimedAt > 0 and not (before and before.claimedAt > 0) then room.passes = room.passes + 1 end
	local other = call('HGET', HOLDERS, ticket.holder)
	local own = read(other or nil)
	if own and isLiving(own) and isLiving(ticket) then
		if isBetter(other, own, number, ticket) then
			ticket.state = 'l'
		else
			unlist(other, own)
			own.state = 'l'
			enlist(other, own)
			put(other, own)
		end
	end
	if not own or isLiving(ticket) or not isLiving(own) then call('HSET', HOLDERS, ticket.holder, number) end
	enlist(number, ticket)
	return true
end

-- Eleven values: number, state, party, late, joinedAt, claimedAt, due (on the clock that stands still), extendedMs,
-- written, version, holder.
local function ticketFrom(i)
	return ARGV[i], {
		state = ARGV[i + 1], party = tonumber(ARGV[i + 2]), late = ARGV[i + 3] == '1',
		joinedAt = tonumber(ARGV[i + 4]), claimedAt = tonumber(ARGV[i + 5]), due = tonumber(ARGV[i + 6]),
		extended = tonumber(ARGV[i + 7]), written = ARGV[i + 8] == '1', version = tonumber(ARGV[i + 9]),
		holder = ARGV[i + 10]
	}
end
